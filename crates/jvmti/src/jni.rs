//! The native interface (JNI): the few calls that an agent makes into Java. Whatever Java code
//! throws is cleared here and becomes an error.

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use thiserror::Error;

use crate::Jvmti;
use crate::callback::tool_environment;
use crate::raw;

/// The Java side of the JVM as one thread sees it, for the length of one call.
#[derive(Clone, Copy)]
pub struct Jni<'call> {
    env: NonNull<raw::JniEnv>,
    call: PhantomData<&'call ()>,
}

/// A loaded class, valid for the length of one call.
#[derive(Clone, Copy)]
pub struct Class<'call> {
    object: NonNull<c_void>,
    call: PhantomData<&'call ()>,
}

impl Class<'_> {
    pub(crate) fn as_raw(&self) -> raw::Object {
        self.object.as_ptr()
    }
}

/// A class loader, valid for the length of one call.
#[derive(Clone, Copy)]
pub struct ClassLoader<'call> {
    object: NonNull<c_void>,
    jni: Jni<'call>,
}

impl<'call> ClassLoader<'call> {
    /// # Safety
    /// `loader` is null or a live reference to a `java.lang.ClassLoader`.
    pub(crate) unsafe fn from_raw(jni: Jni<'call>, loader: raw::Object) -> Option<Self> {
        Some(Self {
            object: NonNull::new(loader)?,
            jni,
        })
    }

    /// Whether code of this loader can use a class, given with dots. Asks the loader, which runs
    /// Java code.
    pub fn sees(&self, class: &CStr) -> bool {
        let (functions, env) = (self.jni.functions(), self.jni.env.as_ptr());
        // SAFETY: the loader is live.
        let loader_class = unsafe { (functions.get_object_class)(env, self.object.as_ptr()) };
        // SAFETY: the class is live, and all texts are C strings.
        let (load_class, name) = unsafe {
            (
                (functions.get_method_id)(
                    env,
                    loader_class,
                    c"loadClass".as_ptr(),
                    c"(Ljava/lang/String;)Ljava/lang/Class;".as_ptr(),
                ),
                (functions.new_string_utf)(env, class.as_ptr()),
            )
        };
        if self.jni.clear_exception() || load_class.is_null() || name.is_null() {
            return false;
        }
        // SAFETY: the method belongs to the loader's class and takes the one argument given.
        let found = unsafe {
            (functions.call_object_method_a)(env, self.object.as_ptr(), load_class, &name)
        };
        !self.jni.clear_exception() && !found.is_null()
    }
}

/// A Java exception that may have caused one of these has been cleared.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum JniError {
    #[error("cannot load class `{0}`")]
    NoClass(String),
    #[error("no static method `{0}`")]
    NoMethod(String),
    #[error("`{0}` threw an exception")]
    Threw(String),
    #[error("cannot register native methods")]
    NotRegistered,
    #[error("no memory for an array of {0} bytes")]
    NoMemory(usize),
}

impl<'call> Jni<'call> {
    /// # Safety
    /// `env` is null or the environment of the current thread, valid for `'call`.
    pub(crate) unsafe fn from_raw(env: *mut raw::JniEnv) -> Option<Self> {
        Some(Self {
            env: NonNull::new(env)?,
            call: PhantomData,
        })
    }

    fn functions(&self) -> &'call raw::JniFunctions {
        // SAFETY: a live environment points at a function table that is as long as the JVM lives.
        unsafe { &**self.env.as_ptr() }
    }

    /// A tool environment of its own, beside the one the agent was loaded with.
    pub(crate) fn new_tool_environment(&self) -> Option<Jvmti<'call>> {
        let mut vm = ptr::null_mut();
        // SAFETY: `vm` is a place to write to.
        let code = unsafe { (self.functions().get_java_vm)(self.env.as_ptr(), &mut vm) };
        if code != raw::JNI_OK || vm.is_null() {
            return None;
        }
        // SAFETY: the JVM has just named itself, and it is running.
        unsafe { tool_environment(vm) }
    }

    pub fn find_class(&self, name: &CStr) -> Result<Class<'call>, JniError> {
        // SAFETY: the name is a C string.
        let object = unsafe { (self.functions().find_class)(self.env.as_ptr(), name.as_ptr()) };
        let threw = self.clear_exception();
        match NonNull::new(object) {
            Some(object) if !threw => Ok(Class {
                object,
                call: PhantomData,
            }),
            _ => Err(JniError::NoClass(text(name))),
        }
    }

    /// Calls `static void name()`.
    pub fn call_static_void(&self, class: Class<'_>, name: &CStr) -> Result<(), JniError> {
        // SAFETY: the class is live and both texts are C strings.
        let method = unsafe {
            (self.functions().get_static_method_id)(
                self.env.as_ptr(),
                class.object.as_ptr(),
                name.as_ptr(),
                c"()V".as_ptr(),
            )
        };
        if self.clear_exception() || method.is_null() {
            return Err(JniError::NoMethod(text(name)));
        }
        // SAFETY: the method belongs to the class, and one without parameters reads no arguments.
        unsafe {
            (self.functions().call_static_void_method_a)(
                self.env.as_ptr(),
                class.object.as_ptr(),
                method,
                ptr::null(),
            );
        }
        if self.clear_exception() {
            Err(JniError::Threw(text(name)))
        } else {
            Ok(())
        }
    }

    /// # Safety
    /// Each function has the parameters and result that its descriptor promises.
    pub(crate) unsafe fn register_natives(
        &self,
        class: Class<'_>,
        methods: &[raw::NativeMethod],
    ) -> Result<(), JniError> {
        // SAFETY: the class is live; the table and the count belong together; the JVM copies both.
        let code = unsafe {
            (self.functions().register_natives)(
                self.env.as_ptr(),
                class.object.as_ptr(),
                methods.as_ptr(),
                methods.len() as c_int,
            )
        };
        if self.clear_exception() || code != raw::JNI_OK {
            return Err(JniError::NotRegistered);
        }
        Ok(())
    }

    /// # Safety
    /// `array` is null or a live reference to a `byte[]`.
    pub(crate) unsafe fn read_bytes(&self, array: raw::Object) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        // SAFETY: the caller promises a live array.
        let length = unsafe { (self.functions().get_array_length)(self.env.as_ptr(), array) };
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        // SAFETY: the region is the whole array, and `bytes` has room for it.
        unsafe {
            (self.functions().get_byte_array_region)(
                self.env.as_ptr(),
                array,
                0,
                length,
                bytes.as_mut_ptr(),
            );
        }
        (!self.clear_exception()).then_some(bytes)
    }

    /// A new `byte[]` as a local reference, to be returned to Java.
    pub(crate) fn new_byte_array(&self, bytes: &[u8]) -> Result<raw::Object, JniError> {
        let no_memory = JniError::NoMemory(bytes.len());
        let Ok(length) = c_int::try_from(bytes.len()) else {
            return Err(no_memory);
        };
        // SAFETY: the length is not negative.
        let array = unsafe { (self.functions().new_byte_array)(self.env.as_ptr(), length) };
        if self.clear_exception() || array.is_null() {
            return Err(no_memory);
        }
        // SAFETY: the array was made with this length.
        unsafe {
            (self.functions().set_byte_array_region)(
                self.env.as_ptr(),
                array,
                0,
                length,
                bytes.as_ptr(),
            );
        }
        if self.clear_exception() {
            Err(no_memory)
        } else {
            Ok(array)
        }
    }

    /// True if an exception was pending. None may be left behind: it would surface in whatever
    /// Java code runs next on this thread.
    fn clear_exception(&self) -> bool {
        // SAFETY: both functions may be called with an exception pending.
        unsafe {
            let pending = (self.functions().exception_check)(self.env.as_ptr()) != 0;
            if pending {
                (self.functions().exception_clear)(self.env.as_ptr());
            }
            pending
        }
    }
}

fn text(name: &CStr) -> String {
    name.to_string_lossy().into_owned()
}
