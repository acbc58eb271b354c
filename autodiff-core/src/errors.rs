//! The errors of `Result`s. They carry no derivative and may be of any type, so that generated code computes with numbers
//! that stand for them.

use core::cell::RefCell;

#[cfg(feature = "alloc")]
type List<E> = alloc::vec::Vec<Option<E>>;

/// The last few of them.
#[cfg(not(feature = "alloc"))]
type List<E> = [Option<E>; 4];

/// The errors that there have been in a call of a function.
pub struct Errors<E> {
    list: RefCell<List<E>>,
    #[cfg(not(feature = "alloc"))]
    count: core::cell::Cell<usize>,
}

impl<E> Errors<E> {
    /// None yet.
    #[must_use]
    #[cfg(feature = "alloc")]
    pub const fn new() -> Self {
        Errors { list: RefCell::new(List::new()) }
    }

    /// None yet.
    #[must_use]
    #[cfg(not(feature = "alloc"))]
    pub const fn new() -> Self {
        Errors { list: RefCell::new([const { None }; 4]), count: core::cell::Cell::new(0) }
    }

    /// The number that stands for an error, which is not 0.
    #[cfg(feature = "alloc")]
    pub fn put(&self, error: E) -> usize {
        let mut list = self.list.borrow_mut();
        list.push(Some(error));
        list.len()
    }

    /// The number that stands for an error, which is not 0.
    #[cfg(not(feature = "alloc"))]
    pub fn put(&self, error: E) -> usize {
        let count = self.count.get();
        let mut list = self.list.borrow_mut();
        let len = list.len();
        list[count % len] = Some(error);
        self.count.set(count + 1);
        count + 1
    }

    /// The same of what may be no error, for which 0 stands.
    pub fn put_any(&self, error: Option<E>) -> usize {
        error.map_or(0, |error| self.put(error))
    }

    /// Where an error is in the list.
    fn place(&self, number: usize) -> Option<usize> {
        let at = number.checked_sub(1)?;
        #[cfg(not(feature = "alloc"))]
        let at = {
            let (count, len) = (self.count.get(), self.list.borrow().len());
            assert!(number + len > count, "more errors at a time than there is room for without `alloc`");
            at % len
        };
        Some(at)
    }
}

/// Errors that can be cloned stay in the list: who has one may use it several times.
impl<E: Clone> Errors<E> {
    /// The error that a number stands for, if it does.
    pub fn take_any(&self, number: usize) -> Option<E> {
        self.list.borrow().get(self.place(number)?)?.clone()
    }

    /// The error that a number stands for.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn take(&self, number: usize) -> E {
        self.take_any(number).expect("an error for each `Err`")
    }
}

/// Others are moved away, which Rust allows once. A method of the type itself goes before one of a trait.
pub trait MoveErrors<E> {
    /// The error that a number stands for, if it does.
    fn take_any(&self, number: usize) -> Option<E>;

    /// The error that a number stands for.
    ///
    /// # Panics
    ///
    /// If there is none.
    fn take(&self, number: usize) -> E {
        self.take_any(number).expect("an error for each `Err`")
    }
}

impl<E> MoveErrors<E> for Errors<E> {
    fn take_any(&self, number: usize) -> Option<E> {
        let at = self.place(number)?;
        self.list.borrow_mut().get_mut(at)?.take()
    }
}

/// The type of the errors of a `Result`.
pub trait Fallible {
    /// Its errors.
    type Error;
}

impl<T, E> Fallible for Result<T, E> {
    type Error = E;
}

impl<E> Default for Errors<E> {
    fn default() -> Self {
        Errors::new()
    }
}
