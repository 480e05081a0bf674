//! A class of one static method `m()V`, with code no compiler would make.

pub struct Handmade {
    pub major_version: u16,
    pub code: Vec<u8>,
    /// Unused constants that fill the pool.
    pub spare_constants: u16,
}

impl Handmade {
    pub fn new(code: impl Into<Vec<u8>>) -> Self {
        Handmade {
            major_version: 52,
            code: code.into(),
            spare_constants: 0,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        out.extend(self.major_version.to_be_bytes());
        out.extend((8 + self.spare_constants).to_be_bytes());
        for name in ["A", "java/lang/Object", "m", "()V", "Code"] {
            out.push(1);
            out.extend((name.len() as u16).to_be_bytes());
            out.extend(name.as_bytes());
        }
        // Classes 6 and 7 name `A` and `java/lang/Object`.
        out.extend([7, 0, 1, 7, 0, 2]);
        for _ in 0..self.spare_constants {
            out.extend([8, 0, 1]);
        }
        // public super class A extends Object, no interfaces, no fields, one method.
        out.extend([0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1]);
        // public static m()V with one attribute, Code.
        out.extend([0, 9, 0, 3, 0, 4, 0, 1, 0, 5]);
        out.extend((self.code.len() as u32 + 12).to_be_bytes());
        out.extend([0, 2, 0, 2]);
        out.extend((self.code.len() as u32).to_be_bytes());
        out.extend(&self.code);
        // No handlers, no attributes of the code, none of the class.
        out.extend([0; 6]);
        out
    }
}
