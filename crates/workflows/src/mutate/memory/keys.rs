//! The keys under which facts are remembered. Each hashes all that its fact depends on, so that
//! whoever computes the same key may rely on the fact.

use jury_model::{Engine, TestId};
use jury_mutate::MutantId;
use jury_select::{Digest, Hash128};
use jury_store::MemoryKey;

/// Raised whenever mutants are made, tried or judged by other rules, so that nothing that was
/// learnt under the older ones is relied on.
const RULES: u64 = 4;

fn digest(domain: &str) -> Digest {
    let mut digest = Digest::new(domain);
    digest.number(RULES);
    digest
}

fn key(digest: Digest) -> MemoryKey {
    MemoryKey(digest.finish().0)
}

/// A test, how its JVM is started and what is probed in it: what is known before it has run.
pub(super) fn test(launch: Hash128, probed: &str, engine: &Engine, id: &TestId) -> MemoryKey {
    let mut digest = digest("jury test");
    digest.hash(launch);
    digest.bytes(probed.as_bytes());
    digest.bytes(engine.as_str().as_bytes());
    digest.bytes(id.as_str().as_bytes());
    key(digest)
}

/// What a test does, given all that it could reach.
pub(super) fn covered(test: MemoryKey, reachable: Hash128, data: Hash128) -> MemoryKey {
    let mut digest = digest("jury covered test");
    digest.hash(Hash128(test.0));
    digest.hash(reachable);
    digest.hash(data);
    key(digest)
}

/// What becomes of a mutant, given what the tests that the verdict rests on do.
pub(super) fn verdict(mutant: &MutantId, tests: impl IntoIterator<Item = MemoryKey>) -> MemoryKey {
    let mut digest = digest("jury verdict");
    digest.bytes(mutant.to_string().as_bytes());
    digest.unordered(tests.into_iter().map(|test| Hash128(test.0)).collect());
    key(digest)
}

/// Whether workers can rewrite a class and its methods.
pub(super) fn left_out(probed: &str, class: &str, content: Hash128) -> MemoryKey {
    let mut digest = digest("jury left out");
    digest.bytes(probed.as_bytes());
    digest.bytes(class.as_bytes());
    digest.hash(content);
    key(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> Hash128 {
        Hash128::of(text.as_bytes())
    }

    fn test_key(launch: &str, engine: &str, id: &str) -> MemoryKey {
        test(hash(launch), "", &Engine::new(engine), &TestId::new(id))
    }

    #[test]
    fn launch_probes_engine_and_id_make_a_test() {
        let before = test_key("launch", "junit-jupiter", "a.BTest#adds");
        assert_eq!(test_key("launch", "junit-jupiter", "a.BTest#adds"), before);
        assert_ne!(test_key("other", "junit-jupiter", "a.BTest#adds"), before);
        assert_ne!(test_key("launch", "junit-vintage", "a.BTest#adds"), before);
        assert_ne!(test_key("launch", "junit-jupiter", "a.BTest#sums"), before);
        let (engine, id) = (Engine::new("junit-jupiter"), TestId::new("a.BTest#adds"));
        assert_ne!(test(hash("launch"), "math", &engine, &id), before);
    }

    #[test]
    fn what_a_test_does_depends_on_code_and_data() {
        let test = test_key("launch", "junit", "t");
        let before = covered(test, hash("code"), hash("data"));
        assert_ne!(covered(test, hash("new code"), hash("data")), before);
        assert_ne!(covered(test, hash("code"), hash("new data")), before);
        let other = test_key("launch", "junit", "u");
        assert_ne!(covered(other, hash("code"), hash("data")), before);
    }

    #[test]
    fn a_verdict_depends_on_the_mutant_and_on_every_test_but_not_on_their_order() {
        let mutant = |text: &str| text.parse::<MutantId>().unwrap();
        let [t, u, v] = ["t", "u", "v"].map(|id| test_key("launch", "junit", id));
        let before = verdict(&mutant("a/B#add()V#void"), [t, u]);
        assert_eq!(verdict(&mutant("a/B#add()V#void"), [u, t]), before);
        assert_ne!(verdict(&mutant("a/B#sum()V#void"), [t, u]), before);
        assert_ne!(verdict(&mutant("a/B#add()V#null"), [t, u]), before);
        assert_ne!(verdict(&mutant("a/B#add()V#void"), [t, v]), before);
        assert_ne!(verdict(&mutant("a/B#add()V#void"), [t]), before);
        assert_ne!(verdict(&mutant("a/B#add()V#void"), [t, u, v]), before);
    }

    #[test]
    fn a_changed_class_may_be_rewritten_after_all() {
        let before = left_out("", "a/B", hash("1"));
        assert_ne!(left_out("", "a/B", hash("2")), before);
        assert_ne!(left_out("", "a/C", hash("1")), before);
        assert_ne!(left_out("math", "a/B", hash("1")), before);
    }
}
