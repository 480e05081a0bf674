//! Where the JDK touches what lies outside a program's classes: the methods, release after release,
//! that tell of files, resources, reflection, variables, processes and sockets. What an action means is
//! up to `jury.boot.Touches`, which has the same numbers.

use std::ffi::CStr;

use jury_instrument::{ArgumentHook, Plan, Rewritten, rewrite};

const LOOK: u16 = 100;
const READ: u16 = 101;
const WRITE: u16 = 102;
const CREATE: u16 = 103;
const LIST: u16 = 104;
const OPEN_CHANNEL: u16 = 105;
const COPY: u16 = 106;
const FIND_RESOURCE: u16 = 107;
const FIND_CLASS: u16 = 108;
const LIST_MEMBERS: u16 = 109;
const READ_VARIABLE: u16 = 110;
const START_PROCESS: u16 = 112;
const USE_NETWORK: u16 = 113;
const LOAD_LIBRARY: u16 = 114;
const BIND: u16 = 115;
const CONNECT: u16 = 116;
const FIND_BUNDLE: u16 = 117;
const OPEN_JAR: u16 = 118;
const TRANSFER: u16 = 119;
const LOAD_CLASS: u16 = 120;
const FIND_PROVIDERS: u16 = 121;
const FIND_PACKAGE: u16 = 122;
const DELETE: u16 = 123;
const MOVE: u16 = 124;
const CALL_NATIVE: u16 = 125;

/// Class, action, methods. A method that a release lacks is no loss: the release does without.
type Point = (&'static str, u16, &'static [&'static str]);

const POINTS: &[Point] = &[
    (
        "java/io/File",
        LOOK,
        &[
            "exists",
            "isFile",
            "isDirectory",
            "isHidden",
            "canRead",
            "canWrite",
            "canExecute",
            "lastModified",
            "length",
            "getCanonicalPath",
            "setExecutable",
            "setLastModified",
            "setReadOnly",
            "setReadable",
            "setWritable",
            "getFreeSpace",
            "getTotalSpace",
            "getUsableSpace",
        ],
    ),
    ("java/io/File", LIST, &["list", "normalizedList"]),
    ("java/io/File", CREATE, &["createNewFile", "mkdir"]),
    ("java/io/File", DELETE, &["delete"]),
    ("java/io/File", MOVE, &["renameTo"]),
    ("java/io/FileInputStream", READ, &["open"]),
    ("java/io/RandomAccessFile", READ, &["open"]),
    ("java/io/FileOutputStream", WRITE, &["open"]),
    ("java/util/zip/ZipFile", READ, &["<init>"]),
    (
        UNIX_FILES,
        LOOK,
        &[
            "checkAccess",
            "exists",
            "isDirectory",
            "isRegularFile",
            "isHidden",
            "isSameFile",
            "getFileAttributeView",
            "readAttributes",
            "readAttributesIfExists",
            "readSymbolicLink",
        ],
    ),
    (
        LINUX_FILES,
        LOOK,
        &["getFileAttributeView", "readAttributes"],
    ),
    (UNIX_PATH, LOOK, &["toRealPath", "register"]),
    (UNIX_FILES, LIST, &["newDirectoryStream"]),
    (
        UNIX_FILES,
        CREATE,
        &["createDirectory", "createSymbolicLink", "createLink"],
    ),
    (UNIX_FILES, DELETE, &["implDelete"]),
    (UNIX_FILES, COPY, &["copy"]),
    (UNIX_FILES, MOVE, &["move"]),
    (
        UNIX_FILES,
        OPEN_CHANNEL,
        &[
            "newByteChannel",
            "newFileChannel",
            "newAsynchronousFileChannel",
        ],
    ),
    (
        "java/lang/ClassLoader",
        FIND_RESOURCE,
        &["getResource", "getResources", "getResourceAsStream"],
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        FIND_RESOURCE,
        &["findResource", "findResources", "findResourceAsStream"],
    ),
    // The JDK keeps what it has found by these, and looks only once.
    ("java/util/ResourceBundle", FIND_BUNDLE, &["getBundle"]),
    (
        "sun/net/www/protocol/jar/JarURLConnection",
        OPEN_JAR,
        &["connect"],
    ),
    (
        "java/util/ServiceLoader",
        FIND_PROVIDERS,
        &["iterator", "stream"],
    ),
    ("java/lang/Package", FIND_PACKAGE, &["getPackageInfo"]),
    ("java/lang/Class", FIND_CLASS, &["forName"]),
    ("java/lang/ClassLoader", LOAD_CLASS, &["loadClass"]),
    ("java/lang/ClassNotFoundException", FIND_CLASS, &["<init>"]),
    (
        "java/lang/Class",
        LIST_MEMBERS,
        &[
            "privateGetDeclaredMethods",
            "privateGetPublicMethods",
            "privateGetDeclaredFields",
            "privateGetPublicFields",
            "privateGetDeclaredConstructors",
            "getDeclaredClasses",
            "getRecordComponents",
            "getPermittedSubclasses",
            "annotationData",
        ],
    ),
    ("java/lang/System", READ_VARIABLE, &["getenv"]),
    ("java/lang/ProcessBuilder", START_PROCESS, &["start"]),
    (
        "java/lang/Runtime",
        LOAD_LIBRARY,
        &["load0", "loadLibrary0"],
    ),
    (
        "jdk/internal/foreign/abi/AbstractLinker",
        CALL_NATIVE,
        &["downcallHandle", "upcallStub"],
    ),
    ("sun/nio/ch/Net", USE_NETWORK, &["bind", "connect"]),
    (
        "sun/nio/ch/UnixDomainSockets",
        USE_NETWORK,
        &["bind", "connect"],
    ),
    (
        "java/net/AbstractPlainDatagramSocketImpl",
        USE_NETWORK,
        &["bind", "connect"],
    ),
    // These know the whole address, which the above do not.
    ("java/net/ServerSocket", BIND, &["bind"]),
    ("java/net/Socket", BIND, &["bind"]),
    ("sun/nio/ch/ServerSocketChannelImpl", BIND, &["bind"]),
    ("sun/nio/ch/SocketChannelImpl", BIND, &["bind"]),
    (
        "sun/nio/ch/AsynchronousServerSocketChannelImpl",
        BIND,
        &["bind"],
    ),
    ("sun/nio/ch/AsynchronousSocketChannelImpl", BIND, &["bind"]),
    ("java/net/AbstractPlainSocketImpl", CONNECT, &["connect"]),
    ("sun/nio/ch/NioSocketImpl", CONNECT, &["connect"]),
    (
        "sun/nio/ch/SocketChannelImpl",
        CONNECT,
        &["connect", "blockingConnect"],
    ),
    (
        "sun/nio/ch/UnixAsynchronousSocketChannelImpl",
        CONNECT,
        &["implConnect"],
    ),
    // Pools hand out what others have connected.
    (
        "sun/nio/ch/NioSocketImpl",
        TRANSFER,
        &["implRead", "implWrite"],
    ),
    (
        "sun/nio/ch/SocketChannelImpl",
        TRANSFER,
        &["read", "write", "blockingRead", "blockingWriteFully"],
    ),
    (
        "sun/nio/ch/UnixAsynchronousSocketChannelImpl",
        TRANSFER,
        &["implRead", "implWrite"],
    ),
];

const UNIX_FILES: &str = "sun/nio/fs/UnixFileSystemProvider";
const LINUX_FILES: &str = "sun/nio/fs/LinuxFileSystemProvider";
const UNIX_PATH: &str = "sun/nio/fs/UnixPath";

/// Classes that a JVM has loaded before it runs Java code for us, and whose loading does nothing.
/// The others are hooked when they come.
pub const LOADED_EARLY: &[&CStr] = &[
    c"java/io/File",
    c"java/io/FileInputStream",
    c"java/io/FileOutputStream",
    c"java/io/RandomAccessFile",
    c"java/lang/Class",
    c"java/lang/ClassLoader",
    c"java/lang/ClassNotFoundException",
    c"java/lang/Package",
    c"java/lang/ProcessBuilder",
    c"java/lang/Runtime",
    c"java/lang/System",
    c"java/util/ServiceLoader",
    c"java/util/zip/ZipFile",
    c"jdk/internal/loader/BuiltinClassLoader",
    c"sun/nio/fs/LinuxFileSystemProvider",
    c"sun/nio/fs/UnixFileSystemProvider",
    c"sun/nio/fs/UnixPath",
];

pub struct ChokePoints {
    plan: Plan,
}

impl ChokePoints {
    pub fn new() -> Self {
        let hooks = POINTS.iter().flat_map(|(class, hook, methods)| {
            methods.iter().map(|method| ArgumentHook {
                hook: *hook,
                class,
                method,
            })
        });
        Self {
            plan: hooks.fold(Plan::new(), |plan, hook| plan.with(hook)),
        }
    }

    /// The class with its hooks, if it is one of the JDK's that has any. `Err` says what will go
    /// unseen.
    pub fn rewrite(&self, name: &str, class_file: &[u8]) -> Result<Option<Vec<u8>>, String> {
        if !self.plan.wants(name) {
            return Ok(None);
        }
        let rewritten = rewrite(class_file, &self.plan)
            .map_err(|error| format!("`{name}` cannot be watched: {error}"))?;
        match rewritten.skipped().first() {
            Some(skipped) => Err(format!(
                "`{name}.{}` cannot be watched: {}",
                skipped.name, skipped.reason
            )),
            None => Ok(match rewritten {
                Rewritten::Unchanged { .. } => None,
                Rewritten::Changed { bytes, .. } => Some(bytes),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn actions_have_the_numbers_that_the_java_side_gives_them() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harness/boot/jury/boot/Touches.java");
        let source = fs::read_to_string(path).unwrap();
        let java: Vec<(&str, u16)> = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix("static final int "))
            .filter_map(|constant| constant.strip_suffix(';')?.split_once(" = "))
            .map(|(name, number)| (name, number.parse().unwrap()))
            .collect();
        assert_eq!(
            java,
            [
                ("LOOK", LOOK),
                ("READ", READ),
                ("WRITE", WRITE),
                ("CREATE", CREATE),
                ("LIST", LIST),
                ("OPEN_CHANNEL", OPEN_CHANNEL),
                ("COPY", COPY),
                ("FIND_RESOURCE", FIND_RESOURCE),
                ("FIND_CLASS", FIND_CLASS),
                ("LIST_MEMBERS", LIST_MEMBERS),
                ("READ_VARIABLE", READ_VARIABLE),
                ("START_PROCESS", START_PROCESS),
                ("USE_NETWORK", USE_NETWORK),
                ("LOAD_LIBRARY", LOAD_LIBRARY),
                ("BIND", BIND),
                ("CONNECT", CONNECT),
                ("FIND_BUNDLE", FIND_BUNDLE),
                ("OPEN_JAR", OPEN_JAR),
                ("TRANSFER", TRANSFER),
                ("LOAD_CLASS", LOAD_CLASS),
                ("FIND_PROVIDERS", FIND_PROVIDERS),
                ("FIND_PACKAGE", FIND_PACKAGE),
                ("DELETE", DELETE),
                ("MOVE", MOVE),
                ("CALL_NATIVE", CALL_NATIVE),
            ]
        );
    }
}
