//! Constants as what they stand for, so that their place in the pool does not count.
//!
//! Each is hashed once and stands for itself by its hash from then on. The work is so bounded by
//! the size of the file, however often hostile input repeats its longest constant.

use jury_classfile::{ClassFile, Constant, ConstantPool, JavaStr, MemberRef, NameAndType};

use super::lambda::{Lambdas, stem};
use super::reader::Reader;
use super::{Opaque, Result};
use crate::hash::{Digest, Hash128};

/// No compiler nests dynamic constants nearly so deep; hostile input would, to exhaust our stack.
const MAX_NESTING: usize = 64;

pub(super) struct Constants<'c, 'a> {
    pub pool: &'c ConstantPool<'a>,
    pub class_name: JavaStr<'a>,
    lambdas: &'c Lambdas<'a>,
    bootstraps: Vec<Bootstrap<'a>>,
    hashes: Vec<Option<Hash128>>,
    nesting: usize,
}

/// One row of BootstrapMethods (JVMS §4.7.23); hashed when first used, because rows may refer
/// to each other many times over.
struct Bootstrap<'a> {
    handle: u16,
    arguments: &'a [u8],
    hash: Option<Hash128>,
}

impl<'c, 'a> Constants<'c, 'a> {
    pub fn new(class: &'c ClassFile<'a>, lambdas: &'c Lambdas<'a>) -> Result<Self> {
        let mut bootstraps = Vec::new();
        if let Some(table) = class.attributes.find(&class.pool, "BootstrapMethods") {
            let mut reader = Reader::new(table.bytes);
            for _ in 0..reader.u2()? {
                let handle = reader.u2()?;
                let count = usize::from(reader.u2()?);
                let arguments = reader.take(2 * count)?;
                bootstraps.push(Bootstrap {
                    handle,
                    arguments,
                    hash: None,
                });
            }
            reader.end()?;
        }
        Ok(Constants {
            pool: &class.pool,
            class_name: class.name()?,
            lambdas,
            bootstraps,
            hashes: vec![None; class.pool.count().into()],
            nesting: 0,
        })
    }

    /// Adds what the entry at `index` stands for.
    pub fn add(&mut self, index: u16, digest: &mut Digest) -> Result<()> {
        digest.hash(self.hash(index)?);
        Ok(())
    }

    /// Adds the entry at `index`; index 0 stands for none.
    pub fn add_optional(&mut self, index: u16, digest: &mut Digest) -> Result<()> {
        digest.byte((index != 0).into());
        if index == 0 {
            Ok(())
        } else {
            self.add(index, digest)
        }
    }

    pub fn hash(&mut self, index: u16) -> Result<Hash128> {
        let known = self.hashes.get(usize::from(index)).ok_or(Opaque)?;
        if let Some(known) = known {
            return Ok(*known);
        }
        let mut digest = Digest::new("constant");
        self.add_content(self.pool.get(index)?, &mut digest)?;
        let hash = digest.finish();
        self.hashes[usize::from(index)] = Some(hash);
        Ok(hash)
    }

    fn add_content(&mut self, constant: Constant<'a>, digest: &mut Digest) -> Result<()> {
        digest.byte(kind(&constant));
        match constant {
            Constant::Utf8(text)
            | Constant::Class(text)
            | Constant::String(text)
            | Constant::MethodType(text)
            | Constant::Module(text)
            | Constant::Package(text) => digest.bytes(text.as_bytes()),
            Constant::Integer(value) => digest.number(value as u64),
            Constant::Float(value) => digest.number(value.to_bits().into()),
            Constant::Long(value) => digest.number(value as u64),
            Constant::Double(value) => digest.number(value.to_bits()),
            Constant::Field(member) => {
                digest.bytes(member.owner.as_bytes());
                add_name_and_type(member.name, member.descriptor, digest);
            }
            Constant::Method(member) | Constant::InterfaceMethod(member) => {
                self.add_method(member, digest);
            }
            Constant::NameAndType(NameAndType { name, descriptor }) => {
                add_name_and_type(name, descriptor, digest);
            }
            Constant::MethodHandle { kind, reference } => {
                // Only members may follow, so a handle never leads back to itself.
                self.pool.member_ref(reference)?;
                digest.byte(kind);
                self.add(reference, digest)?;
            }
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                add_name_and_type(name_and_type.name, name_and_type.descriptor, digest);
                digest.hash(self.bootstrap(bootstrap.into())?);
            }
        }
        Ok(())
    }

    fn add_method(&self, member: MemberRef<'a>, digest: &mut Digest) {
        let MemberRef {
            owner,
            name,
            descriptor,
        } = member;
        digest.bytes(owner.as_bytes());
        let own = owner == self.class_name;
        match self.lambdas.rank(name, descriptor).filter(|_| own) {
            Some(rank) => {
                digest.byte(1);
                digest.bytes(stem(&name.to_str()).as_bytes());
                digest.number(rank.into());
                digest.bytes(descriptor.as_bytes());
            }
            None => {
                digest.byte(0);
                add_name_and_type(name, descriptor, digest);
            }
        }
    }

    fn bootstrap(&mut self, index: usize) -> Result<Hash128> {
        let Bootstrap {
            handle,
            arguments,
            hash,
        } = self.bootstraps.get(index).ok_or(Opaque)?;
        if let Some(known) = hash {
            return Ok(*known);
        }
        let (handle, arguments) = (*handle, *arguments);
        if self.nesting == MAX_NESTING {
            return Err(Opaque);
        }
        self.nesting += 1;
        let mut digest = Digest::new("bootstrap");
        self.add(handle, &mut digest)?;
        for argument in arguments.chunks_exact(2) {
            self.add(u16::from_be_bytes([argument[0], argument[1]]), &mut digest)?;
        }
        self.nesting -= 1;
        let hash = digest.finish();
        self.bootstraps[index].hash = Some(hash);
        Ok(hash)
    }
}

fn add_name_and_type(name: JavaStr<'_>, descriptor: JavaStr<'_>, digest: &mut Digest) {
    digest.bytes(name.as_bytes());
    digest.bytes(descriptor.as_bytes());
}

fn kind(constant: &Constant<'_>) -> u8 {
    match constant {
        Constant::Utf8(_) => 1,
        Constant::Integer(_) => 3,
        Constant::Float(_) => 4,
        Constant::Long(_) => 5,
        Constant::Double(_) => 6,
        Constant::Class(_) => 7,
        Constant::String(_) => 8,
        Constant::Field(_) => 9,
        Constant::Method(_) => 10,
        Constant::InterfaceMethod(_) => 11,
        Constant::NameAndType(_) => 12,
        Constant::MethodHandle { .. } => 15,
        Constant::MethodType(_) => 16,
        Constant::Dynamic { .. } => 17,
        Constant::InvokeDynamic { .. } => 18,
        Constant::Module(_) => 19,
        Constant::Package(_) => 20,
    }
}
