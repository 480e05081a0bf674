//! The analysis on class files as javac makes them.

mod classic;
mod extreme;
mod hostile;
mod support;
