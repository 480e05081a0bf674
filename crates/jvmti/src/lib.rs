//! The C interfaces of a JVM, as much of them as an agent needs, behind safe types.
//!
//! An agent implements [`Agent`] and names itself in [`export_agent!`]; the entry points, the
//! callbacks and the native methods come from here, and no panic passes them. All `unsafe` code
//! lives in this crate. It knows nothing of what the agent is for, holds no policy, and prints
//! nothing.

mod agent;
mod callback;
mod jni;
mod jvmti;
mod process;
#[doc(hidden)]
pub mod raw;

pub use agent::{Agent, Channel, Refusal};
#[doc(hidden)]
pub use agent::{Exported, Slot};
#[doc(hidden)]
pub use callback::load;
pub use jni::{Class, ClassLoader, Jni, JniError};
pub use jvmti::{Event, Jvmti, JvmtiError};
pub use process::exit_now;

/// Makes the library that expands it a JVM agent: `export_agent!(MyAgent)`.
#[macro_export]
macro_rules! export_agent {
    ($agent:ty) => {
        impl $crate::Exported for $agent {
            fn slot() -> &'static $crate::Slot<Self> {
                static SLOT: $crate::Slot<$agent> = $crate::Slot::new();
                &SLOT
            }
        }

        /// Called by the JVM while it starts. Always reports success: a JVM gives up if an agent
        /// fails, and an agent that cannot work must not cost anybody a JVM.
        ///
        /// # Safety
        /// For the JVM alone to call.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn Agent_OnLoad(
            vm: *mut $crate::raw::JavaVm,
            options: *const ::std::ffi::c_char,
            _reserved: *mut ::std::ffi::c_void,
        ) -> i32 {
            // SAFETY: the JVM calls this function with its own pointer and a C string or null.
            unsafe { $crate::load::<$agent>(vm, options) };
            0
        }
    };
}
