//! The roles of what goes in and comes out: of a derivative's body, of the function that is generated for it, and of a call.

use super::Var;

/// How many times a function can be differentiated; see Note [Orders of differentiation] in `parse/attr.rs`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Order {
    #[default]
    First,
    Second,
    Third,
    Fourth,
}

impl Order {
    pub const fn number(self) -> u8 {
        match self {
            Order::First => 1,
            Order::Second => 2,
            Order::Third => 3,
            Order::Fourth => 4,
        }
    }

    pub fn from_number(number: u8) -> Option<Order> {
        let all = [Order::First, Order::Second, Order::Third, Order::Fourth];
        all.into_iter().find(|order| order.number() == number)
    }

    /// As in "a second derivative".
    pub fn word(self) -> &'static str {
        match self {
            Order::First => "first",
            Order::Second => "second",
            Order::Third => "third",
            Order::Fourth => "fourth",
        }
    }
}

/// The directions along which a value has been differentiated: none for the value itself.
///
/// Two directions at once are a mixed second derivative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Along(u8);

impl Along {
    pub const NONE: Along = Along(0);

    /// Along some of so many directions, in the order in which they come up.
    pub fn some_of(directions: usize) -> &'static [Along] {
        const ALL: [Along; 1 << 4] = {
            let mut all = [Along::NONE; 1 << 4];
            let mut k = 0;
            while k < all.len() {
                all[k] = Along(k as u8);
                k += 1;
            }
            all
        };
        &ALL[..1 << directions.min(4)]
    }

    /// Along those of so many directions that are left.
    pub fn others(self, directions: usize) -> Along {
        Along(!self.0 & ((1 << directions) - 1))
    }

    /// And along one more direction, of which 0 is the first.
    pub const fn and(self, direction: usize) -> Along {
        Along(self.0 | 1 << direction)
    }

    /// And not along a direction of which there is a tangent.
    pub fn without(self, direction: usize) -> Option<Along> {
        (self.0 & (1 << direction) != 0).then_some(Along(self.0 & !(1 << direction)))
    }

    fn directions(self) -> impl Iterator<Item = usize> {
        (0..8).filter(move |direction| self.0 & (1 << direction) != 0)
    }

    /// What is added to the name of a value: `_dot`, `_dot_2` along the second direction, `_dot_dot` along both.
    pub fn suffix(self) -> String {
        let directions: Vec<usize> = self.directions().collect();
        match &directions[..] {
            [] => String::new(),
            [0] => "_dot".to_owned(),
            [0, 1] => "_dot_dot".to_owned(),
            some => some.iter().fold("_dot".to_owned(), |name, direction| format!("{name}_{}", direction + 1)),
        }
    }
}

/// What a slot belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Of {
    /// The input of this number: of a body, among those that the function is differentiated by; of a call, among the
    /// operands of a call of the function itself.
    Input(usize),
    /// The result of this number, what a parameter holds at the end included.
    Result(usize),
    /// What the forward sweep hands to the reverse sweep.
    Residuals,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Value,
    Cotangent,
}

/// What an input or an output of a derivative is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Role {
    pub of: Of,
    pub kind: Kind,
    pub along: Along,
}

/// The roles of the inputs and outputs of a body, or of the operands and results of a call.
///
/// Inputs that the function is not differentiated by are parameters of a body, too; they are the function's own, and
/// have no role here. Every operand of a call has one.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    pub inputs: Vec<(Var, Role)>,
    /// One for each result of the body.
    pub outputs: Vec<Role>,
}

impl Interface {
    /// The input that has a role.
    pub fn input(&self, role: Role) -> Option<Var> {
        self.inputs.iter().find(|(_, other)| *other == role).map(|(var, _)| *var)
    }

    /// That of some results which has a role.
    pub fn output(&self, results: &[Var], role: Role) -> Option<Var> {
        self.outputs.iter().zip(results).find(|(other, _)| **other == role).map(|(_, var)| *var)
    }

    /// The directions in which tangents of the inputs are given.
    pub fn tangents(&self) -> Vec<Along> {
        let values = self.input_roles().filter(|role| role.is_of_input() && !role.is_cotangent());
        let mut all = directions(values);
        all.retain(|along| *along != Along::NONE);
        all
    }

    /// The directions of the cotangents of the results, that of the cotangents themselves included.
    pub fn seeds(&self) -> Vec<Along> {
        directions(self.input_roles().filter(|role| role.is_cotangent() && !role.is_of_input()))
    }

    /// The same of the cotangents of the inputs that come out, whether there is an array that they are added to or not.
    pub fn cotangents(&self) -> Vec<Along> {
        directions(self.outputs.iter().copied().filter(|role| role.is_cotangent()))
    }

    /// The same of the results.
    pub fn results(&self) -> Vec<Along> {
        directions(self.outputs.iter().copied().filter(|role| !role.is_cotangent()))
    }

    fn input_roles(&self) -> impl Iterator<Item = Role> {
        self.inputs.iter().map(|(_, role)| *role)
    }

    /// Whether what comes out are cotangents alone, so that the function returns them.
    pub fn returns_cotangents(&self) -> bool {
        self.outputs.iter().all(|role| role.is_cotangent())
    }

    /// The tangents of the inputs in a direction.
    pub fn dots(&self, along: Along) -> Vec<Var> {
        self.inputs_of(|role| !role.is_cotangent() && role.is_of_input() && role.along == along)
    }

    /// For each of `count` inputs, the array that its cotangent in a direction is added to, if there is one.
    pub fn accumulators(&self, along: Along, count: usize) -> Vec<Option<Var>> {
        let mut all = vec![None; count];
        for (var, role) in &self.inputs {
            if let Role { of: Of::Input(k), kind: Kind::Cotangent, along: own } = *role
                && own == along
            {
                all[k] = Some(*var);
            }
        }
        all
    }

    /// The inputs of one kind and direction, in order.
    pub fn inputs_of(&self, is: impl Fn(Role) -> bool) -> Vec<Var> {
        self.inputs.iter().filter(|(_, role)| is(*role)).map(|(var, _)| *var).collect()
    }

    /// Those of a body's results that have a role, in order.
    pub fn outputs_of(&self, results: &[Var], is: impl Fn(Role) -> bool) -> Vec<Var> {
        self.outputs.iter().zip(results).filter(|(role, _)| is(**role)).map(|(_, var)| *var).collect()
    }
}

/// The different directions of some roles, in the order of the transformations that have made them.
fn directions(roles: impl Iterator<Item = Role>) -> Vec<Along> {
    let mut all: Vec<Along> = roles.map(|role| role.along).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Role {
    pub const fn value(of: Of) -> Role {
        Role { of, kind: Kind::Value, along: Along::NONE }
    }

    pub fn cotangent(of: Of) -> Role {
        Role { of, kind: Kind::Cotangent, along: Along::NONE }
    }

    pub const RESIDUALS: Role = Role::value(Of::Residuals);

    /// The same along other directions.
    pub fn towards(self, along: Along) -> Role {
        Role { along, ..self }
    }

    /// What it is a tangent of along a direction, if it is one.
    pub fn primal(self, direction: usize) -> Option<Role> {
        self.along.without(direction).map(|along| self.towards(along))
    }

    /// Its tangent along one more direction.
    pub fn tangent(self, direction: usize) -> Role {
        Role { along: self.along.and(direction), ..self }
    }

    pub fn is_cotangent(self) -> bool {
        self.kind == Kind::Cotangent
    }

    /// Whether it is of an input.
    pub fn is_of_input(self) -> bool {
        matches!(self.of, Of::Input(_))
    }
}
