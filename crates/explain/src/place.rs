//! Where something was observed.

/// As packed by the rewriting that shows values to an observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A call of the watched method with this number.
    Call(u32),
    /// An expression in a watched class, whose number is never 0.
    Value { class: u32, method: u16, pc: u16 },
}

impl Place {
    /// The pc that stands for an exception leaving its method.
    pub const ESCAPED: u16 = u16::MAX;
}

impl From<u64> for Place {
    fn from(packed: u64) -> Self {
        match (packed >> 32) as u32 {
            0 => Place::Call(packed as u32),
            class => Place::Value {
                class,
                method: (packed >> 16) as u16,
                pc: packed as u16,
            },
        }
    }
}
