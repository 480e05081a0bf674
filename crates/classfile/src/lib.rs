//! Class files: bytes to structure, and spliced bytes back.
//!
//! Reading borrows from the input and decodes on demand; writing copies everything it was not
//! asked to change. The crate does no I/O, resolves no class beyond the one in hand, and leaves
//! the question whether bytecode is sensible to the JVM's verifier. Hostile bytes give an
//! error, never a panic, an endless loop or an outsized allocation.

mod access;
mod annotation;
mod attribute;
mod bootstrap;
mod class;
mod code;
mod cursor;
mod debug;
mod declaration;
mod descriptor;
mod error;
mod hollow;
mod instruction;
mod java_str;
mod kinship;
mod listing;
mod module;
pub mod opcode;
mod pool;
mod references;
mod signature;
pub mod splice;
pub mod stack_map;
mod stores;

pub use access::Access;
pub use annotation::{Annotation, ElementValue, TypeAnnotation, TypeTarget, VariableStretches};
pub use attribute::{Attribute, Attributes};
pub use bootstrap::BootstrapMethod;
pub use class::{ClassFile, Member};
pub use code::{Code, Handler};
pub use debug::{LineNumber, LocalVariable};
pub use declaration::MethodParameter;
pub use descriptor::{MethodDescriptor, Type, class_names_in, readable_signature};
pub use error::Malformed;
pub use instruction::{Instruction, Instructions, LookupSwitch, Operand, TableSwitch};
pub use java_str::JavaStr;
pub use kinship::{EnclosingMethod, InnerClass, RecordComponent};
pub use listing::listing;
pub use module::{Module, Opening, Provides, Requires};
pub use pool::{Constant, ConstantPool, MemberRef, NameAndType};
pub use references::Reference;
pub use signature::class_names as class_names_in_signature;
pub use stores::Stores;
