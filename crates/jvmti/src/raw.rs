//! The function tables of the JVM's C interfaces, with names for the functions in use and opaque
//! slots between them. `tests/headers.rs` checks every position against the JDK's own headers.

use std::ffi::{c_char, c_int, c_uchar, c_void};

type Slots<const COUNT: usize> = [*const c_void; COUNT];

pub type Object = *mut c_void;
pub type MethodId = *mut c_void;

pub const JNI_OK: c_int = 0;
/// `JVMTI_VERSION_1_2`: every JVM since Java 6 speaks it.
pub const JVMTI_VERSION: c_int = 0x3001_0200;
pub const JVMTI_ERROR_NONE: c_int = 0;
pub const JVMTI_ENABLE: c_int = 1;
pub const JVMTI_PHASE_ONLOAD: c_int = 1;

pub const EVENT_VM_INIT: c_int = 50;
pub const EVENT_VM_DEATH: c_int = 51;
pub const EVENT_CLASS_FILE_LOAD_HOOK: c_int = 54;

pub type JavaVm = *const InvokeFunctions;
pub type JniEnv = *const JniFunctions;
pub type JvmtiEnv = *const JvmtiFunctions;

/// `JNIInvokeInterface_`.
#[repr(C)]
pub struct InvokeFunctions {
    _0: Slots<6>,
    pub get_env:
        unsafe extern "system" fn(*mut JavaVm, env: *mut *mut c_void, version: c_int) -> c_int,
}

/// `JNINativeInterface_`.
#[repr(C)]
pub struct JniFunctions {
    _0: Slots<6>,
    pub find_class: unsafe extern "system" fn(*mut JniEnv, name: *const c_char) -> Object,
    _7: Slots<10>,
    pub exception_clear: unsafe extern "system" fn(*mut JniEnv),
    _18: Slots<13>,
    pub get_object_class: unsafe extern "system" fn(*mut JniEnv, object: Object) -> Object,
    _32: Slots<1>,
    pub get_method_id: unsafe extern "system" fn(
        *mut JniEnv,
        class: Object,
        name: *const c_char,
        descriptor: *const c_char,
    ) -> MethodId,
    _34: Slots<2>,
    pub call_object_method_a: unsafe extern "system" fn(
        *mut JniEnv,
        object: Object,
        method: MethodId,
        arguments: *const Object,
    ) -> Object,
    _37: Slots<76>,
    pub get_static_method_id: unsafe extern "system" fn(
        *mut JniEnv,
        class: Object,
        name: *const c_char,
        descriptor: *const c_char,
    ) -> MethodId,
    _114: Slots<29>,
    pub call_static_void_method_a: unsafe extern "system" fn(
        *mut JniEnv,
        class: Object,
        method: MethodId,
        arguments: *const c_void,
    ),
    _144: Slots<23>,
    pub new_string_utf: unsafe extern "system" fn(*mut JniEnv, text: *const c_char) -> Object,
    _168: Slots<3>,
    pub get_array_length: unsafe extern "system" fn(*mut JniEnv, array: Object) -> c_int,
    _172: Slots<4>,
    pub new_byte_array: unsafe extern "system" fn(*mut JniEnv, length: c_int) -> Object,
    _177: Slots<23>,
    pub get_byte_array_region: unsafe extern "system" fn(
        *mut JniEnv,
        array: Object,
        start: c_int,
        length: c_int,
        bytes: *mut u8,
    ),
    _201: Slots<7>,
    pub set_byte_array_region: unsafe extern "system" fn(
        *mut JniEnv,
        array: Object,
        start: c_int,
        length: c_int,
        bytes: *const u8,
    ),
    _209: Slots<6>,
    pub register_natives: unsafe extern "system" fn(
        *mut JniEnv,
        class: Object,
        methods: *const NativeMethod,
        count: c_int,
    ) -> c_int,
    _216: Slots<3>,
    pub get_java_vm: unsafe extern "system" fn(*mut JniEnv, vm: *mut *mut JavaVm) -> c_int,
    _220: Slots<8>,
    pub exception_check: unsafe extern "system" fn(*mut JniEnv) -> u8,
}

/// `JNINativeMethod`.
#[repr(C)]
pub struct NativeMethod {
    pub name: *const c_char,
    pub descriptor: *const c_char,
    pub function: *const c_void,
}

/// `jvmtiInterface_1_`.
#[repr(C)]
pub struct JvmtiFunctions {
    _0: Slots<1>,
    // Variadic in the header, hence the C convention; nothing is ever passed behind the thread.
    pub set_event_notification_mode: unsafe extern "C" fn(
        *mut JvmtiEnv,
        mode: c_int,
        event: c_int,
        thread: Object,
        ...
    ) -> c_int,
    _2: Slots<43>,
    pub allocate:
        unsafe extern "system" fn(*mut JvmtiEnv, size: i64, memory: *mut *mut c_uchar) -> c_int,
    pub deallocate: unsafe extern "system" fn(*mut JvmtiEnv, memory: *mut c_uchar) -> c_int,
    _47: Slots<74>,
    pub set_event_callbacks: unsafe extern "system" fn(
        *mut JvmtiEnv,
        callbacks: *const EventCallbacks,
        size: c_int,
    ) -> c_int,
    _122: Slots<4>,
    pub dispose_environment: unsafe extern "system" fn(*mut JvmtiEnv) -> c_int,
    _127: Slots<3>,
    pub get_system_property: unsafe extern "system" fn(
        *mut JvmtiEnv,
        name: *const c_char,
        value: *mut *mut c_char,
    ) -> c_int,
    _131: Slots<1>,
    pub get_phase: unsafe extern "system" fn(*mut JvmtiEnv, phase: *mut c_int) -> c_int,
    _133: Slots<8>,
    pub add_capabilities:
        unsafe extern "system" fn(*mut JvmtiEnv, capabilities: *const Capabilities) -> c_int,
    _142: Slots<6>,
    pub add_to_bootstrap_class_loader_search:
        unsafe extern "system" fn(*mut JvmtiEnv, segment: *const c_char) -> c_int,
    _149: Slots<2>,
    pub retransform_classes:
        unsafe extern "system" fn(*mut JvmtiEnv, count: c_int, classes: *const Object) -> c_int,
}

/// `jvmtiCapabilities`: bits, the first one the lowest of the first byte.
#[repr(C)]
#[derive(Default)]
pub struct Capabilities(pub [u8; 16]);

/// The place of `can_retransform_classes` among the capabilities.
pub const CAN_RETRANSFORM_CLASSES: usize = 37;

/// `jvmtiEventCallbacks`, up to the last one in use: the JVM is told the size.
#[repr(C)]
#[derive(Default)]
pub struct EventCallbacks {
    pub vm_init: Option<VmInit>,
    pub vm_death: Option<VmDeath>,
    pub thread_start: Option<Unused>,
    pub thread_end: Option<Unused>,
    pub class_file_load_hook: Option<ClassFileLoadHook>,
}

pub type Unused = unsafe extern "system" fn();
pub type VmInit = unsafe extern "system" fn(*mut JvmtiEnv, *mut JniEnv, thread: Object);
pub type VmDeath = unsafe extern "system" fn(*mut JvmtiEnv, *mut JniEnv);
pub type ClassFileLoadHook = unsafe extern "system" fn(
    *mut JvmtiEnv,
    *mut JniEnv,
    class_being_redefined: Object,
    loader: Object,
    name: *const c_char,
    protection_domain: Object,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
);
