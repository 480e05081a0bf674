//! Class files: bytes to structure, and spliced bytes back.
//!
//! Reading borrows from the input and decodes on demand; writing copies everything it was not
//! asked to change. The crate does no I/O, resolves no class beyond the one in hand, and leaves
//! the question whether bytecode is sensible to the JVM's verifier. Hostile bytes give an
//! error, never a panic, an endless loop or an outsized allocation.

mod access;
mod annotation;
mod attribute;
mod class;
mod code;
mod cursor;
mod descriptor;
mod error;
mod instruction;
mod java_str;
pub mod opcode;
mod pool;
pub mod splice;
pub mod stack_map;

pub use access::Access;
pub use annotation::{Annotation, ElementValue, TypeAnnotation, TypeTarget, VariableStretches};
pub use attribute::{Attribute, Attributes};
pub use class::{ClassFile, Member};
pub use code::{Code, Handler};
pub use descriptor::{MethodDescriptor, Type};
pub use error::Malformed;
pub use instruction::{Instruction, Instructions, LookupSwitch, Operand, TableSwitch};
pub use java_str::JavaStr;
pub use pool::{Constant, ConstantPool, MemberRef, NameAndType};
