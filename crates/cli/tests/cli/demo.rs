//! `jury demo`: the tour a new user takes first.

use jury_testkit::{Jdk, Sample, jdks, run};

use crate::JURY;

#[test]
fn the_tour_goes_from_doctor_to_explain_and_can_be_kept() {
    for jdk in jdks() {
        let place = Sample::empty("tour");
        let kept = place.beside("kept");
        let mut command = place.command(JURY, &jdk);
        let ran = run(command.args(["demo", "--keep"]).arg(&kept)).exits(0);
        for command in [
            "jury doctor",
            "jury test",
            "jury test --explain",
            "jury replay",
            "jury mutate",
            "jury explain",
        ] {
            assert!(
                ran.stdout.contains(&format!("$ {command}")),
                "{}",
                ran.stdout
            );
        }
        assert!(ran.stdout.contains("34 passed"), "{}", ran.stdout);
        let gap = "pseudo-tested teashop.LoyaltyCard#stamp";
        assert!(ran.stdout.contains(gap), "{}", ran.stdout);
        assert!(kept.join("pom.xml").is_file());
        assert!(kept.join(".jury/evidence.db").is_file());
    }
}

#[test]
fn a_directory_with_something_in_it_is_not_written_to() {
    let place = Sample::empty("mine");
    place.write("diary.txt", "private");
    let mut command = place.command(JURY, &Jdk::any());
    let ran = run(command.args(["demo", "--keep", "."])).exits(4);
    assert!(ran.stderr.contains("`.` is not empty"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("hint: choose another directory"),
        "{}",
        ran.stderr
    );
}
