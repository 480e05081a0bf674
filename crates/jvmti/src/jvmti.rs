//! The tool interface (JVMTI), as an agent uses it.

use std::env;
use std::ffi::{CStr, c_int, c_uchar};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use thiserror::Error;

use crate::jni::Class;
use crate::raw;

/// The tool interface of the JVM this library was loaded into.
#[derive(Clone, Copy)]
pub struct Jvmti<'vm> {
    env: NonNull<raw::JvmtiEnv>,
    vm: PhantomData<&'vm ()>,
}

#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[error("`{function}` answered with JVMTI error {code}")]
pub struct JvmtiError {
    pub function: &'static str,
    pub code: i32,
}

/// What an agent can be told of beyond the JVM's start and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    VmInit,
    VmDeath,
    ClassFileLoadHook,
}

impl<'vm> Jvmti<'vm> {
    /// # Safety
    /// `env` is null or a live environment, valid for `'vm`.
    pub(crate) unsafe fn from_raw(env: *mut raw::JvmtiEnv) -> Option<Self> {
        Some(Self {
            env: NonNull::new(env)?,
            vm: PhantomData,
        })
    }

    fn functions(&self) -> &'vm raw::JvmtiFunctions {
        // SAFETY: a live environment points at a function table that is as long as the JVM lives.
        unsafe { &**self.env.as_ptr() }
    }

    /// A property the JVM started with. Later changes made by Java code do not show.
    pub fn system_property(&self, name: &CStr) -> Option<String> {
        let mut value = ptr::null_mut();
        // SAFETY: the name is a C string and `value` is a place to write to.
        let code = unsafe {
            (self.functions().get_system_property)(self.env.as_ptr(), name.as_ptr(), &mut value)
        };
        if code != raw::JVMTI_ERROR_NONE || value.is_null() {
            return None;
        }
        // SAFETY: on success `value` is a C string that the JVM allocated for us.
        let text = unsafe { CStr::from_ptr(value) }
            .to_string_lossy()
            .into_owned();
        // SAFETY: `value` came from the JVM's allocator and is not used any more.
        unsafe { (self.functions().deallocate)(self.env.as_ptr(), value.cast()) };
        Some(text)
    }

    /// Adds a jar behind the JVM's own classes.
    pub fn append_to_boot_class_path(&self, jar: &CStr) -> Result<(), JvmtiError> {
        // SAFETY: the path is a C string, which the JVM copies.
        let code = unsafe {
            (self.functions().add_to_bootstrap_class_loader_search)(self.env.as_ptr(), jar.as_ptr())
        };
        check("AddToBootstrapClassLoaderSearch", code)
    }

    /// Makes this environment's class events come again when a class is transformed anew, and
    /// after those of all agents that cannot have that.
    pub(crate) fn become_transformer(&self) -> Result<(), JvmtiError> {
        let mut capabilities = raw::Capabilities::default();
        let bit = raw::CAN_RETRANSFORM_CLASSES;
        capabilities.0[bit / 8] |= 1 << (bit % 8);
        // SAFETY: the JVM reads the bits during the call.
        let code = unsafe { (self.functions().add_capabilities)(self.env.as_ptr(), &capabilities) };
        check("AddCapabilities", code)
    }

    /// Lets the agents transform loaded classes anew.
    pub fn retransform(&self, classes: &[Class<'_>]) -> Result<(), JvmtiError> {
        let objects: Vec<raw::Object> = classes.iter().map(Class::as_raw).collect();
        let count = c_int::try_from(objects.len()).unwrap_or(0);
        // SAFETY: count and array belong together, and the classes are live.
        let code = unsafe {
            (self.functions().retransform_classes)(self.env.as_ptr(), count, objects.as_ptr())
        };
        check("RetransformClasses", code)
    }

    /// Asks for an event, on all threads, from now on.
    pub fn enable(&self, event: Event) -> Result<(), JvmtiError> {
        let number = match event {
            Event::VmInit => raw::EVENT_VM_INIT,
            Event::VmDeath => raw::EVENT_VM_DEATH,
            Event::ClassFileLoadHook => raw::EVENT_CLASS_FILE_LOAD_HOOK,
        };
        // SAFETY: a null thread stands for all threads.
        let code = unsafe {
            (self.functions().set_event_notification_mode)(
                self.env.as_ptr(),
                raw::JVMTI_ENABLE,
                number,
                ptr::null_mut(),
            )
        };
        check("SetEventNotificationMode", code)
    }

    /// Replaces or removes a variable of this process's environment, for Java code and child processes
    /// to see. Does nothing unless the JVM was started by the `java` launcher and is still loading
    /// its agents, because at no other time can other threads be known not to read the
    /// environment.
    pub fn set_variable(&self, name: &str, value: Option<&str>) {
        let launcher = self.system_property(c"sun.java.launcher");
        if launcher.as_deref() != Some("SUN_STANDARD") || !self.is_loading() {
            return;
        }
        // SAFETY: while the launcher's JVM loads agents, it has started no thread but this one, and
        // the launcher's first waits for this one. Should another agent's thread read the
        // environment right now, it finds pointers whose targets stay allocated: replacing or
        // removing a variable frees nothing.
        unsafe {
            match value {
                Some(value) => env::set_var(name, value),
                None => env::remove_var(name),
            }
        }
    }

    fn is_loading(&self) -> bool {
        let mut phase = 0;
        // SAFETY: `phase` is a place to write to.
        let code = unsafe { (self.functions().get_phase)(self.env.as_ptr(), &mut phase) };
        code == raw::JVMTI_ERROR_NONE && phase == raw::JVMTI_PHASE_ONLOAD
    }

    pub(crate) fn set_callbacks(&self, callbacks: &raw::EventCallbacks) -> Result<(), JvmtiError> {
        // SAFETY: the JVM copies the table, and the size is the table's own.
        let code = unsafe {
            (self.functions().set_event_callbacks)(
                self.env.as_ptr(),
                callbacks,
                size_of::<raw::EventCallbacks>() as c_int,
            )
        };
        check("SetEventCallbacks", code)
    }

    /// A copy of `bytes` in the JVM's own memory, for the JVM to free.
    pub(crate) fn hand_over(&self, bytes: &[u8]) -> Result<*mut c_uchar, JvmtiError> {
        let mut memory = ptr::null_mut();
        // SAFETY: `memory` is a place to write to.
        let code = unsafe {
            (self.functions().allocate)(self.env.as_ptr(), bytes.len() as i64, &mut memory)
        };
        check("Allocate", code)?;
        // SAFETY: on success `memory` holds at least the requested number of bytes, and fresh
        // memory cannot overlap with `bytes`.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    /// Gives the environment back to the JVM: no trace of the agent is left.
    pub(crate) fn dispose(self) {
        // SAFETY: no copy of this environment is kept by the callers, who are in this crate.
        unsafe { (self.functions().dispose_environment)(self.env.as_ptr()) };
    }
}

fn check(function: &'static str, code: c_int) -> Result<(), JvmtiError> {
    match code {
        raw::JVMTI_ERROR_NONE => Ok(()),
        code => Err(JvmtiError { function, code }),
    }
}
