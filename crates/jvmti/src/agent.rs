//! What an agent is, and the place where it lives and can be switched off.

use std::any::Any;
use std::error::Error;
use std::ffi::{CStr, OsStr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{ClassLoader, Jni, Jvmti};

/// Why an agent gives up. It is switched off, the JVM runs on.
pub type Refusal = Box<dyn Error>;

/// The native methods by which Java code and the agent exchange messages.
#[derive(Debug, Clone, Copy)]
pub struct Channel {
    /// The class that declares them, in VM form: `a/b/C`.
    pub class: &'static CStr,
    /// `static native void …(byte[])`, which ends in [`Agent::message_from_java`].
    pub send: &'static CStr,
    /// `static native byte[] …()`, which answers with [`Agent::message_to_java`].
    pub receive: &'static CStr,
    /// `static native byte[] …(byte[])`, which answers with [`Agent::question_from_java`].
    pub ask: &'static CStr,
}

/// A JVM agent. A panic or a refusal in any of these switches the agent off for good: none of them
/// is called again, and [`Agent::disabled`] learns the reason.
pub trait Agent: Send + Sync + Sized + 'static {
    const CHANNEL: Channel;

    /// The JVM is starting, no Java code has run. `None` leaves it as if there were no agent.
    fn load(jvmti: &Jvmti<'_>, options: &OsStr) -> Option<Self>;

    /// The JVM can run Java code and is about to run `main`.
    fn started(&self, jvmti: &Jvmti<'_>, jni: &Jni<'_>) -> Result<(), Refusal>;

    /// A class (VM form) is being loaded or redefined by a loader other than the JVM's own.
    /// `Some` replaces its bytes. Only called after [`Event::ClassFileLoadHook`] was enabled.
    ///
    /// [`Event::ClassFileLoadHook`]: crate::Event::ClassFileLoadHook
    fn class_loading(
        &self,
        loader: &ClassLoader<'_>,
        name: &str,
        class_file: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal>;

    /// Whether [`Agent::class_transforming`] is to be called.
    fn transforms(&self) -> bool;

    /// From now on classes come to [`Agent::class_transforming`]. Those that are loaded already
    /// come when `transformer` is asked to retransform them.
    fn transforming(&self, transformer: &Jvmti<'_>, jni: &Jni<'_>) -> Result<(), Refusal>;

    /// A class (VM form) is being loaded, redefined or retransformed, by the JVM's own loader if
    /// there is none. Comes after [`Agent::class_loading`], and after most other agents, which
    /// therefore never see what is put in here.
    fn class_transforming(
        &self,
        loader: Option<&ClassLoader<'_>>,
        name: &str,
        class_file: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal>;

    fn message_from_java(&self, message: &[u8]);

    /// May block. `None` becomes `null`.
    fn message_to_java(&self) -> Option<Vec<u8>>;

    /// May block. `None` becomes `null`.
    fn question_from_java(&self, question: &[u8]) -> Option<Vec<u8>>;

    /// The JVM is ending in an orderly way. It still runs Java code.
    fn ended(&self, jni: &Jni<'_>) -> Result<(), Refusal>;

    fn disabled(&self, reason: &str);
}

/// An agent that [`export_agent!`](crate::export_agent) has given a place to live in.
pub trait Exported: Agent {
    fn slot() -> &'static Slot<Self>;
}

/// Where the one agent of a library lives, from its loading to the end of the process.
pub struct Slot<A> {
    agent: OnceLock<A>,
    off: AtomicBool,
}

impl<A> Slot<A> {
    #[expect(
        clippy::new_without_default,
        reason = "only `export_agent!` makes one, in a static"
    )]
    pub const fn new() -> Self {
        Self {
            agent: OnceLock::new(),
            off: AtomicBool::new(false),
        }
    }
}

impl<A: Agent> Slot<A> {
    /// False if the library holds an agent already: a JVM may be told twice to load it.
    pub(crate) fn fill(&self, agent: A) -> bool {
        self.agent.set(agent).is_ok()
    }

    pub(crate) fn is_filled(&self) -> bool {
        self.agent.get().is_some()
    }

    /// Lets the agent do something; `None` if it is off, or has just been switched off.
    pub(crate) fn run<T>(&self, work: impl FnOnce(&A) -> Result<T, Refusal>) -> Option<T> {
        let agent = self
            .agent
            .get()
            .filter(|_| !self.off.load(Ordering::Acquire))?;
        // A panic may leave the agent's state half changed, but nobody looks at it afterwards.
        let reason = match catch_unwind(AssertUnwindSafe(|| work(agent))) {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(refusal)) => with_causes(&*refusal),
            Err(panic) => format!("internal error: {}", panic_text(&*panic)),
        };
        if !self.off.swap(true, Ordering::AcqRel) {
            let _ = catch_unwind(AssertUnwindSafe(|| agent.disabled(&reason)));
        }
        None
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "panic without a message"
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Recorder {
        reasons: Mutex<Vec<String>>,
    }

    impl Agent for Recorder {
        const CHANNEL: Channel = Channel {
            class: c"a/B",
            send: c"send",
            receive: c"receive",
            ask: c"ask",
        };

        fn load(_: &Jvmti<'_>, _: &OsStr) -> Option<Self> {
            None
        }
        fn started(&self, _: &Jvmti<'_>, _: &Jni<'_>) -> Result<(), Refusal> {
            Ok(())
        }
        fn class_loading(
            &self,
            _: &ClassLoader<'_>,
            _: &str,
            _: &[u8],
        ) -> Result<Option<Vec<u8>>, Refusal> {
            Ok(None)
        }
        fn transforms(&self) -> bool {
            false
        }
        fn transforming(&self, _: &Jvmti<'_>, _: &Jni<'_>) -> Result<(), Refusal> {
            Ok(())
        }
        fn class_transforming(
            &self,
            _: Option<&ClassLoader<'_>>,
            _: &str,
            _: &[u8],
        ) -> Result<Option<Vec<u8>>, Refusal> {
            Ok(None)
        }
        fn message_from_java(&self, _: &[u8]) {}
        fn message_to_java(&self) -> Option<Vec<u8>> {
            None
        }
        fn question_from_java(&self, _: &[u8]) -> Option<Vec<u8>> {
            None
        }
        fn ended(&self, _: &Jni<'_>) -> Result<(), Refusal> {
            Ok(())
        }
        fn disabled(&self, reason: &str) {
            self.reasons.lock().unwrap().push(reason.to_owned());
        }
    }

    fn slot() -> Slot<Recorder> {
        let slot = Slot::new();
        assert!(slot.fill(Recorder::default()));
        slot
    }

    fn reasons(slot: &Slot<Recorder>) -> Vec<String> {
        slot.agent.get().unwrap().reasons.lock().unwrap().clone()
    }

    #[test]
    fn a_panic_switches_the_agent_off_and_goes_no_further() {
        let slot = slot();
        assert_eq!(slot.run(|_| Ok(1)), Some(1));
        assert_eq!(slot.run::<()>(|_| panic!("lost the {}", "plot")), None);
        assert_eq!(reasons(&slot), ["internal error: lost the plot"]);
        assert_eq!(slot.run(|_| Ok(2)), None);
    }

    #[test]
    fn a_refusal_is_told_once_with_its_causes() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read it")]
        struct Outer(#[source] std::io::Error);

        let slot = slot();
        let refuse = |_: &Recorder| Err::<(), _>(Outer(std::io::Error::other("torn")).into());
        assert_eq!(slot.run(refuse), None);
        assert_eq!(slot.run(refuse), None);
        assert_eq!(reasons(&slot), ["cannot read it: torn"]);
    }

    #[test]
    fn a_second_agent_finds_the_place_taken() {
        assert!(!slot().fill(Recorder::default()));
    }

    #[test]
    fn an_empty_slot_runs_nothing() {
        assert_eq!(Slot::<Recorder>::new().run(|_| Ok(1)), None);
    }
}
