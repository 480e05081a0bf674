/// Ends the process at once: no shutdown hooks, no exit handlers, no waiting for threads.
///
/// For a JVM whose reason to live has gone. It works while Java threads hang or hold locks, which
/// an orderly exit would wait for.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: `_exit` has no preconditions and may be called from any thread.
    unsafe { libc::_exit(status) }
}
