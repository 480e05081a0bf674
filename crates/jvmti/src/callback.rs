//! What the JVM calls: the entry point, the event callbacks and the native methods. Each finds the
//! agent in its slot, which catches panics, and answers harmlessly when the agent is off.

use std::ffi::{CStr, OsStr, c_char, c_int, c_uchar};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use crate::raw::{self, EventCallbacks, JavaVm, JniEnv, JvmtiEnv, NativeMethod, Object};
use crate::{ClassLoader, Event, Exported, Jni, JniError, Jvmti, Refusal};

/// # Safety
/// `vm` is the JVM that loads this library, `options` a C string or null.
pub unsafe fn load<A: Exported>(vm: *mut JavaVm, options: *const c_char) {
    // This library has its own copy of the standard library, so the hook is the agent's alone. The
    // default one would print into the output of somebody else's program.
    std::panic::set_hook(Box::new(|_| {}));
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if A::slot().is_filled() {
            return;
        }
        // SAFETY: the caller promises a live JVM.
        let Some(jvmti) = (unsafe { tool_environment(vm) }) else {
            return;
        };
        let options = if options.is_null() {
            OsStr::new("")
        } else {
            // SAFETY: the caller promises a C string, which outlives this call.
            OsStr::from_bytes(unsafe { CStr::from_ptr(options) }.to_bytes())
        };
        if A::load(&jvmti, options).is_some_and(|agent| A::slot().fill(agent)) {
            A::slot().run(|_| install::<A>(&jvmti));
        } else {
            jvmti.dispose();
        }
    }));
}

/// # Safety
/// `vm` is a live JVM.
pub(crate) unsafe fn tool_environment<'vm>(vm: *mut JavaVm) -> Option<Jvmti<'vm>> {
    let mut env = ptr::null_mut();
    // SAFETY: a live JVM points at its function table, and `env` is a place to write to.
    let code = unsafe { ((**vm).get_env)(vm, &mut env, raw::JVMTI_VERSION) };
    if code != raw::JNI_OK {
        return None;
    }
    // SAFETY: asked for a tool environment, the JVM gave one that lives as long as itself.
    unsafe { Jvmti::from_raw(env.cast()) }
}

fn install<A: Exported>(jvmti: &Jvmti<'_>) -> Result<(), Refusal> {
    jvmti.set_callbacks(&EventCallbacks {
        vm_init: Some(vm_init::<A>),
        vm_death: Some(vm_death::<A>),
        class_file_load_hook: Some(class_file_load_hook::<A>),
        ..EventCallbacks::default()
    })?;
    jvmti.enable(Event::VmInit)?;
    jvmti.enable(Event::VmDeath)?;
    Ok(())
}

unsafe extern "system" fn vm_init<A: Exported>(
    jvmti: *mut JvmtiEnv,
    jni: *mut JniEnv,
    _thread: Object,
) {
    // SAFETY: the JVM passes live environments, the second that of this thread.
    let (Some(jvmti), Some(jni)) = (unsafe { (Jvmti::from_raw(jvmti), Jni::from_raw(jni)) }) else {
        return;
    };
    A::slot().run(|agent| {
        register_channel::<A>(&jni)?;
        agent.started(&jvmti, &jni)?;
        if agent.transforms() {
            let transformer = install_transformer::<A>(&jni)?;
            agent.transforming(&transformer, &jni)?;
        }
        Ok(())
    });
}

/// A second environment, for [`Agent::class_transforming`](crate::Agent::class_transforming).
fn install_transformer<'vm, A: Exported>(jni: &Jni<'vm>) -> Result<Jvmti<'vm>, Refusal> {
    let transformer = jni
        .new_tool_environment()
        .ok_or("the JVM gives no second tool environment")?;
    transformer.become_transformer()?;
    transformer.set_callbacks(&EventCallbacks {
        class_file_load_hook: Some(transform_hook::<A>),
        ..EventCallbacks::default()
    })?;
    transformer.enable(Event::ClassFileLoadHook)?;
    Ok(transformer)
}

fn register_channel<A: Exported>(jni: &Jni<'_>) -> Result<(), JniError> {
    let channel = A::CHANNEL;
    let class = jni.find_class(channel.class)?;
    let methods = [
        NativeMethod {
            name: channel.send.as_ptr(),
            descriptor: c"([B)V".as_ptr(),
            function: send::<A> as *const _,
        },
        NativeMethod {
            name: channel.receive.as_ptr(),
            descriptor: c"()[B".as_ptr(),
            function: receive::<A> as *const _,
        },
        NativeMethod {
            name: channel.ask.as_ptr(),
            descriptor: c"([B)[B".as_ptr(),
            function: ask::<A> as *const _,
        },
    ];
    // SAFETY: `send` takes an array and gives nothing, `receive` takes nothing and gives an array,
    // `ask` does both.
    unsafe { jni.register_natives(class, &methods) }
}

unsafe extern "system" fn vm_death<A: Exported>(_jvmti: *mut JvmtiEnv, jni: *mut JniEnv) {
    // SAFETY: the JVM passes this thread's environment.
    if let Some(jni) = unsafe { Jni::from_raw(jni) } {
        A::slot().run(|agent| agent.ended(&jni));
    }
}

unsafe extern "system" fn class_file_load_hook<A: Exported>(
    jvmti: *mut JvmtiEnv,
    jni: *mut JniEnv,
    _class_being_redefined: Object,
    loader: Object,
    name: *const c_char,
    _protection_domain: Object,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    let rewrite =
        |agent: &A, loader: Option<&ClassLoader<'_>>, name: &str, class_file: &[u8]| match loader {
            Some(loader) => agent.class_loading(loader, name, class_file),
            None => Ok(None),
        };
    // SAFETY: these are the JVM's own arguments.
    unsafe {
        answer_hook(
            jvmti, jni, loader, name, length, bytes, new_length, new_bytes, rewrite,
        )
    }
}

unsafe extern "system" fn transform_hook<A: Exported>(
    jvmti: *mut JvmtiEnv,
    jni: *mut JniEnv,
    _class_being_redefined: Object,
    loader: Object,
    name: *const c_char,
    _protection_domain: Object,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    let rewrite = |agent: &A, loader: Option<&ClassLoader<'_>>, name: &str, class_file: &[u8]| {
        agent.class_transforming(loader, name, class_file)
    };
    // SAFETY: these are the JVM's own arguments.
    unsafe {
        answer_hook(
            jvmti, jni, loader, name, length, bytes, new_length, new_bytes, rewrite,
        )
    }
}

/// # Safety
/// The arguments, but for the last, are those with which the JVM calls a class file load hook.
#[expect(clippy::too_many_arguments, reason = "they are the JVM's")]
unsafe fn answer_hook<A: Exported>(
    jvmti: *mut JvmtiEnv,
    jni: *mut JniEnv,
    loader: Object,
    name: *const c_char,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
    rewrite: impl FnOnce(&A, Option<&ClassLoader<'_>>, &str, &[u8]) -> Result<Option<Vec<u8>>, Refusal>,
) {
    if name.is_null() || bytes.is_null() {
        return; // a class that code defines without naming it
    }
    // SAFETY: the JVM passes live environments, the second that of this thread.
    let (Some(jvmti), Some(jni)) = (unsafe { (Jvmti::from_raw(jvmti), Jni::from_raw(jni)) }) else {
        return;
    };
    // SAFETY: the JVM passes a live class loader, or null for its own.
    let loader = unsafe { ClassLoader::from_raw(jni, loader) };
    A::slot().run(|agent| {
        // SAFETY: the JVM passes a C string that outlives this call.
        // Its encoding differs from UTF-8 only where a name holds NUL or characters beyond the
        // basic plane; such classes are left alone.
        let Ok(name) = unsafe { CStr::from_ptr(name) }.to_str() else {
            return Ok(());
        };
        let Ok(length) = usize::try_from(length) else {
            return Ok(());
        };
        // SAFETY: the JVM passes the class file and its length; it lives and stays unchanged until
        // this call ends.
        let class_file = unsafe { slice::from_raw_parts(bytes, length) };
        if let Some(changed) = rewrite(agent, loader.as_ref(), name, class_file)? {
            let changed_length = c_int::try_from(changed.len())?;
            let memory = jvmti.hand_over(&changed)?;
            // SAFETY: both are places the JVM passes for the answer, whose memory it frees.
            unsafe {
                *new_bytes = memory;
                *new_length = changed_length;
            }
        }
        Ok(())
    });
}

unsafe extern "system" fn send<A: Exported>(jni: *mut JniEnv, _class: Object, message: Object) {
    A::slot().run(|agent| {
        // SAFETY: the JVM passes this thread's environment.
        let jni = unsafe { Jni::from_raw(jni) };
        // SAFETY: registered for a method that takes a `byte[]`, so it is one or null.
        if let Some(message) = jni.and_then(|jni| unsafe { jni.read_bytes(message) }) {
            agent.message_from_java(&message);
        }
        Ok(())
    });
}

unsafe extern "system" fn receive<A: Exported>(jni: *mut JniEnv, _class: Object) -> Object {
    A::slot()
        .run(|agent| {
            // SAFETY: the JVM passes this thread's environment.
            let Some(jni) = (unsafe { Jni::from_raw(jni) }) else {
                return Ok(ptr::null_mut());
            };
            match agent.message_to_java() {
                Some(message) => Ok(jni.new_byte_array(&message)?),
                None => Ok(ptr::null_mut()),
            }
        })
        .unwrap_or(ptr::null_mut())
}

unsafe extern "system" fn ask<A: Exported>(
    jni: *mut JniEnv,
    _class: Object,
    question: Object,
) -> Object {
    A::slot()
        .run(|agent| {
            // SAFETY: the JVM passes this thread's environment.
            let Some(jni) = (unsafe { Jni::from_raw(jni) }) else {
                return Ok(ptr::null_mut());
            };
            // SAFETY: registered for a method that takes a `byte[]`, so it is one or null.
            let question = unsafe { jni.read_bytes(question) };
            match question.and_then(|question| agent.question_from_java(&question)) {
                Some(answer) => Ok(jni.new_byte_array(&answer)?),
                None => Ok(ptr::null_mut()),
            }
        })
        .unwrap_or(ptr::null_mut())
}
