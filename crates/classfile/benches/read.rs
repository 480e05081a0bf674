//! How fast classes are read. `JURY_BENCH_JAR` names a jar of classes; see `bench/classfile.md`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod corpus;

use std::hint::black_box;

use jury_classfile::ClassFile;

fn main() {
    let Some(corpus) = corpus::load() else { return };
    println!(
        "{} classes, {:.1} MB",
        corpus.classes.len(),
        corpus.megabytes()
    );
    corpus.measure("read", |bytes| {
        black_box(ClassFile::read(bytes).is_ok());
    });
    corpus.measure("read, and every instruction decoded", |bytes| {
        let Ok(class) = ClassFile::read(bytes) else {
            return;
        };
        for method in &class.methods {
            if let Ok(Some(code)) = method.code(&class.pool) {
                black_box(code.instructions().count());
            }
        }
    });
    corpus.measure("read, and every class referred to", |bytes| {
        let Ok(class) = ClassFile::read(bytes) else {
            return;
        };
        let _ = black_box(class.referenced_classes());
    });
}
