//! Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A). One type serves classes,
//! fields and methods; a bit's meaning depends on which of them carries it.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access(pub u16);

impl Access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const BRIDGE: u16 = 0x0040;
    pub const VOLATILE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const TRANSIENT: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;
    pub const MANDATED: u16 = 0x8000;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    pub fn is_static(self) -> bool {
        self.has(Self::STATIC)
    }

    pub fn is_abstract(self) -> bool {
        self.has(Self::ABSTRACT)
    }

    pub fn is_native(self) -> bool {
        self.has(Self::NATIVE)
    }

    pub fn is_interface(self) -> bool {
        self.has(Self::INTERFACE)
    }

    pub fn is_synthetic(self) -> bool {
        self.has(Self::SYNTHETIC)
    }

    pub fn is_bridge(self) -> bool {
        self.has(Self::BRIDGE)
    }
}
