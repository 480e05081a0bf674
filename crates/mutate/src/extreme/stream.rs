//! # What it does
//! Returns an empty stream from a method that returns `Stream`, `IntStream`, `LongStream` or
//! `DoubleStream`.
//!
//! # Why
//! Pipelines run happily over nothing; only a check of their outcome notices.
//!
//! # Example
//! ```java
//! Stream<Order> open() { return orders.stream().filter(Order::isOpen); }
//! ```
//! becomes
//! ```java
//! Stream<Order> open() { return Stream.empty(); }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "stream",
    source: include_str!("stream.rs"),
    replace,
};

const STREAMS: [&str; 4] = [
    "java/util/stream/Stream",
    "java/util/stream/IntStream",
    "java/util/stream/LongStream",
    "java/util/stream/DoubleStream",
];

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let result = method.returned_class()?;
    let stream = STREAMS.into_iter().find(|stream| result == *stream)?;
    Some(Replacement::static_call(stream, "empty", stream, true))
}
