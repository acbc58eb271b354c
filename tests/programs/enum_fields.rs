//! Enums without a derivative in fields of differentiable structs, which methods change.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

mod plant {
    use autodiff::prelude::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Mode {
        Heat,
        Cool,
        Wait(usize),
    }

    impl Mode {
        pub fn gain(self) -> f64 {
            match self {
                Mode::Heat => 2.0,
                Mode::Cool => -0.5,
                Mode::Wait(k) => k as f64 * 0.1,
            }
        }
    }

    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Room {
        pub t: f64,
        pub mode: Mode,
        pub rate: f64,
    }

    #[differentiable(order = 2)]
    impl Room {
        pub fn new(t: f64, rate: f64) -> Room {
            Room { t, mode: Mode::Heat, rate }
        }

        pub fn step(&mut self, x: f64) -> f64 {
            let before = self.t;
            match self.mode {
                Mode::Heat => {
                    self.t += 0.3 * x * self.rate;
                    if self.t > 1.5 {
                        self.mode = Mode::Cool;
                    }
                }
                Mode::Cool => {
                    self.t *= 0.7;
                    if self.t < 1.0 {
                        self.mode = Mode::Wait(2);
                    }
                }
                Mode::Wait(0) => self.mode = Mode::Heat,
                Mode::Wait(n) => {
                    self.t += 0.1 * x.sin() * n as f64;
                    self.mode = Mode::Wait(n - 1);
                }
            }
            self.t - before
        }

        pub fn flow(&self, x: f64) -> f64 {
            self.t * x.cos() + if self.mode == Mode::Heat { x * x } else { self.mode.gain() * x }
        }

        pub fn skip(&mut self) -> bool {
            self.mode = match self.mode {
                Mode::Heat => Mode::Cool,
                Mode::Cool => Mode::Wait(2),
                Mode::Wait(_) => Mode::Heat,
            };
            self.mode == Mode::Cool
        }
    }
}
use plant::{Room, Room_flow, Room_new, Room_skip, Room_step};

#[differentiable(order = 2)]
fn simulated(t: f64, rate: f64, x: f64) -> f64 {
    let mut room = Room::new(t, rate);
    let mut y = 0.0;
    for k in 0..9 {
        let d = room.step(x);
        y += d * d + 0.1 * room.flow(x * 0.5);
        if k % 4 == 3 && room.skip() {
            y *= x;
        }
    }
    y + room.t
}

#[differentiable(order = 2)]
fn of_one(room: &Room, x: f64) -> f64 {
    let mut copy = *room;
    let first = copy.step(x);
    copy.mode = room.mode;
    let other = Room { mode: plant::Mode::Wait(1), ..copy };
    first * copy.step(x * x) + other.flow(x) + room.flow(copy.t)
}

#[differentiable(order = 2)]
fn warmed(room: &mut Room, x: f64) {
    while room.t < 1.2 {
        room.step(x);
    }
    if let plant::Mode::Heat = room.mode {
        room.mode = plant::Mode::Cool;
    }
}

#[differentiable(order = 2)]
fn of_many(rooms: &[Room], x: f64) -> f64 {
    let mut y = x;
    for room in rooms {
        let mut room = *room;
        warmed(&mut room, y.abs() + 0.3);
        y += room.flow(y) * room.rate;
    }
    for k in 0..rooms.len() {
        if matches!(rooms[k].mode, plant::Mode::Wait(n) if n > 1) {
            y *= rooms[k].t;
        }
    }
    y
}

#[differentiable(order = 2)]
fn rooms_of(x: f64, y: f64) -> f64 {
    let mut rooms = [Room::new(x, y), Room { t: y, mode: plant::Mode::Wait(2), rate: x }];
    rooms[0].mode = plant::Mode::Cool;
    rooms[1].step(x);
    let mut sum = rooms[0].step(y) + rooms[1].flow(x);
    for room in &mut rooms {
        sum += room.step(x * y);
    }
    of_many(&rooms, sum)
}

#[test]
fn rooms() {
    check!(simulated(t, rate, x) by t = 0.4, rate = 1.3, x = 0.9);
    check!(simulated(t, rate, x) by t = 1.4, rate = 0.7, x = 1.3);
    for mode in [plant::Mode::Heat, plant::Mode::Cool, plant::Mode::Wait(1)] {
        let room = Room { t: 1.1, mode, rate: 1.6 };
        check!(of_one(&room, x) by room, x = 0.8);
        let rooms = vec![room, Room { t: 0.3, mode: plant::Mode::Wait(3), rate: 0.4 }];
        check!(of_many(&rooms, x) by [rooms, x = 0.3]);
    }
    check!(rooms_of(x, y) by x = 0.9, y = 0.6);
    let mut room = Room { t: 1.0, mode: plant::Mode::Heat, rate: 1.0 };
    let ((), pullback) = warmed::vjp(&mut room, 1.0);
    assert_eq!((room.t, room.mode), (1.3, plant::Mode::Cool));
    let (of_room, of_x) = pullback((), (plant::RoomTangent { t: 1.0, mode: (), rate: 0.0 }, 0.0));
    assert_eq!((of_room.t, of_room.rate, of_x), (1.0, 0.3, 0.3));
}
