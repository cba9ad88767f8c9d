//! A tree from the command line: run, ask, reclaim.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use common::Run;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn call(args: &[&str]) -> Run {
    common::run(args, "")
}

/// A session of two shards that stop with two codes.
fn session() -> (TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = vec![
        r#"{"role": "user", "content": "Import the missing entries of both shards and tell me what stops you."}"#.to_owned(),
    ];
    for batch in 1..=12 {
        lines.push(format!(
            r#"{{"role": "assistant", "content": "Batch {batch} of the archive was written on node db-{batch}. Writing batch {batch} took {} s, and no entry of it was written twice."}}"#,
            40 + 3 * batch
        ));
    }
    lines.push(r#"{"role": "tool", "content": "error: shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait."}"#.to_owned());
    lines.push(r#"{"role": "tool", "content": "error: shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait."}"#.to_owned());
    lines.push(r#"{"role": "assistant", "content": "Both shards are held. The next window is on Friday at 06:30, and Dov has to be there."}"#.to_owned());
    let file = dir.path().join("session.jsonl");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let file = file.display().to_string();
    (dir, file)
}

fn store(dir: &TempDir) -> String {
    dir.path().join("store").display().to_string()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {} {}", run.out, run.err))
}

const SMALL: [&str; 4] = ["--group-bytes", "600", "--budget-bytes", "1600"];

#[test]
fn a_session_becomes_a_tree_that_answers_after_its_leaves_are_gone() {
    let (dir, file) = session();
    let store = store(&dir);
    let at = ["--store", &store];
    let run = call(&[&["run", &file], &at[..], &SMALL].concat());
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    assert!(run.out.starts_with("COMMITTED"), "{}", run.out);
    assert!(run.out.contains("Permit: given."), "{}", run.out);

    let again = json(&call(&[&["run", &file, "--json"], &at[..], &SMALL].concat()));
    assert_eq!(again["outcome"], "unchanged", "{again}");

    // A phrase that is no fact is found in the words of the leaves.
    let phrase = call(&[&["recover", "DUPLICATE range after"], &at[..]].concat());
    assert_eq!(phrase.status, 0, "{} {}", phrase.out, phrase.err);
    assert!(
        phrase.out.contains("in the words of leaf") && phrase.out.contains("22 entries wait."),
        "{}",
        phrase.out
    );
    let phrase = json(&call(&[&["recover", "duplicate range after", "--json"], &at[..]].concat()));
    let said = &phrase["answers"][0]["said"][0];
    assert_eq!(
        (&said["span"], &said["left_out"]),
        (&serde_json::json!([45, 66]), &serde_json::json!([0, 0])),
        "{said}"
    );
    let none = call(&[&["recover", "no leaf says this"], &at[..]].concat());
    assert!(none.status == 1 && none.out.contains("`manifest lost`"), "{}", none.out);

    let dry = call(&[&["gc", "--dry-run"], &at[..]].concat());
    assert!(dry.status == 0 && dry.out.contains("stays: it is"), "{}", dry.out);
    let gc = json(&call(&[&["gc", "--grace", "0", "--json"], &at[..]].concat()));
    assert_eq!(gc["leaves_gone"], 16, "{gc}");

    let found = json(&call(&[&["recover", "LDG-4471", "--json"], &at[..]].concat()));
    let found = &found["answers"][0]["found"][0];
    assert_eq!(
        (&found["text"], &found["ends"], &found["source"]),
        (&"LDG-4471".into(), &"root".into(), &"line 15, output".into())
    );
    assert_eq!(found["span"][0], 36);
    assert!(found["around"].is_null() && found["text_digest"].as_str().unwrap().len() == 64, "{found}");

    let verify = json(&call(&[&["verify", "--json"], &at[..]].concat()));
    assert_eq!(
        (&verify["integrity"], &verify["coverage"], &verify["gate"], &verify["reclaimed"]),
        (&"intact".into(), &"complete".into(), &"admitted".into(), &16.into()),
        "{verify}"
    );
    let history = call(&[&["history"], &at[..]].concat());
    assert!(history.out.contains("reclaim") && history.out.contains("commit"), "{}", history.out);
    for verb in
        [&["show"][..], &["show", "--leaves"], &["why"], &["lost"], &["recover"], &["trend"], &["probe"]]
    {
        let run = call(&[verb, &at[..]].concat());
        assert!(run.status == 0 && !run.out.is_empty(), "{verb:?}: {} {}", run.out, run.err);
    }
}

#[test]
fn a_leaf_speaks_for_itself_while_it_is_kept() {
    let (dir, file) = session();
    let store = store(&dir);
    let at = ["--store", &store];
    assert_eq!(call(&[&["run", &file], &at[..], &SMALL].concat()).status, 0);
    let run = call(&[&["recover", "LDG-4417", "no such thing"], &at[..]].concat());
    assert_eq!(run.status, 1);
    assert!(run.out.contains("| error: shard-06 aborted by applier: LDG-4417 apply gap"), "{}", run.out);
    assert!(run.out.contains("no such thing: 0 places"), "{}", run.out);
    let trace = call(&[&["trace", "LDG-4417"], &at[..]].concat());
    assert!(trace.out.contains("line 14, output, bytes 36..44"), "{}", trace.out);
    let shown = json(&call(&[&["show", "line 14, output", "--json"], &at[..]].concat()));
    assert_eq!(shown["text"].as_str().unwrap().find("LDG-4417"), Some(36));
}

#[test]
fn a_summarizer_ends_in_one_typed_outcome_each() {
    let (dir, file) = session();
    let command = |line: &str, more: &[&str]| {
        let store = dir.path().join(format!("store-{}", line.len())).display().to_string();
        let args = [&["run", &file, "--summarizer", "cmd", line, "--store", &store], more].concat();
        (call(&args), store)
    };
    for (line, code, says) in [
        ("exit 7", 2, "failed (exit status: 7)"),
        ("true ", 2, "printed nothing"),
        ("sleep 60  ", 2, "gave no summary within 1 s"),
        ("head -c 1000000000 /dev/zero | tr '\\0' a", 2, "printed more than"),
        ("echo 'Error: rate limit exceeded, try again later'", 1, "REFUSED"),
        ("printf '\\377\\376 no text'", 2, "not UTF-8"),
    ] {
        let (run, store) = command(line, &["--timeout", "1"]);
        let said = format!("{}{}", run.out, run.err);
        assert!(run.status == code && said.contains(says), "{line}: {} {said}", run.status);
        // Nothing of it stands: the head names nothing, and the leaves are whole.
        let history = call(&["history", "--store", &store]);
        assert!(history.out.contains("names nothing yet"), "{line}: {}", history.out);
    }
}

#[test]
fn a_program_that_hears_the_feedback_gets_another_attempt() {
    let (dir, file) = session();
    let store = store(&dir);
    // Says at first what nobody said, and what is asked for at the second time.
    let line = r#"python3 -c "
import json, sys
task = json.load(sys.stdin)
texts = [child['text'] for child in task['children']]
print(('' if task.get('feedback') else 'The job OPS-99017 closed it. ') + ' '.join(texts))
""#;
    let run = call(&[
        "run",
        &file,
        "--summarizer",
        "cmd",
        line,
        "--store",
        &store,
        "--json",
        "--group-bytes",
        "100000",
    ]);
    let done = json(&run);
    assert_eq!(done["outcome"], "committed", "{done}");
    assert_eq!(done["nodes"][0]["how"], "at a later attempt", "{done}");
    assert_eq!(done["nodes"][0]["attempts"][0]["verdict"], "reject");
}

#[test]
fn an_observed_tree_earns_no_permit_and_says_what_is_missing() {
    let (dir, file) = session();
    let store = store(&dir);
    let line = "echo 'Both shards stopped with a related error, and the importer is held until Friday.'";
    let run = call(&["run", &file, "--summarizer", "cmd", line, "--store", &store, "--observe"]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    assert!(run.out.contains("Permit: refused") && run.out.contains("LDG-4471"), "{}", run.out);
    let gc = call(&["gc", "--store", &store, "--grace", "0"]);
    assert!(gc.status == 1 && gc.out.contains("No permit: every leaf stays."), "{}", gc.out);
    let lost = json(&call(&["lost", "--store", &store, "--json"]));
    let texts = lost["lost"].as_array().unwrap().iter().filter_map(|row| row["text"].as_str());
    let codes: Vec<&str> = texts.filter(|text| text.starts_with("LDG-")).collect();
    assert_eq!(codes, ["LDG-4417", "LDG-4471"], "{lost}");
    let verify = json(&call(&["verify", "--store", &store, "--json"]));
    assert!(verify["coverage"].as_str().unwrap().contains("lost"), "{verify}");
}

#[test]
fn what_is_no_store_root_or_node_is_said() {
    let (dir, file) = session();
    let at = store(&dir);
    let run = call(&["show", "--store", &at]);
    assert!(run.status == 2 && run.err.contains("not a store"), "{}", run.err);
    assert_eq!(call(&["run", &file, "--store", &at]).status, 0);
    let other = call(&["probe", "--store", &at, "--head", "other"]);
    assert!(other.status == 2 && other.err.contains("names no root yet"), "{}", other.err);
    for head in ["memo/x", "../x", ""] {
        let run = call(&["history", "--store", &at, "--head", head]);
        assert!(run.status == 2 && !run.err.contains("panicked"), "{head}: {}", run.err);
    }
    let none = call(&["why", "ffffffffffff", "--store", &at]);
    assert!(none.status == 2 && none.err.contains("names no leaf or node"), "{}", none.err);
    assert!(Path::new(&at).exists());
}

#[test]
fn no_answer_shows_a_credential_of_a_leaf() {
    let dir = tempfile::tempdir().unwrap();
    let secret = "ghp_a8Jd0Qw3Zt6Lk1Xv9Bn4Rm7Ty2Uc5Hs0Pf8E";
    let file = dir.path().join("session.jsonl");
    let line = format!(
        r#"{{"role": "user", "content": "Deploy build-7 with the token {secret} and tell me when OPS-4471 is done."}}"#
    );
    fs::write(&file, line + "\n").unwrap();
    let (file, store) = (file.display().to_string(), store(&dir));
    let run = call(&["run", &file, "--store", &store, "--observe"]);
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    for verb in [
        &["show", "line 1, user"][..],
        &["show", "line 1, user", "--json"],
        &["recover", "OPS-4471"],
        &["lost", "--json"],
        &["why", "--json"],
    ] {
        let run = call(&[verb, &["--store", &store]].concat());
        assert!(run.status == 0 && !run.out.is_empty(), "{verb:?}: {}", run.err);
        assert!(!run.out.contains(&secret[4..20]), "{verb:?}: {}", run.out);
    }
}

#[test]
fn a_proof_is_checked_without_the_store_and_after_the_leaves_are_gone() {
    let (dir, file) = session();
    let store = store(&dir);
    let at = ["--store", &store];
    assert_eq!(call(&[&["run", &file], &at[..], &SMALL].concat()).status, 0);
    assert_eq!(call(&[&["gc", "--grace", "0"], &at[..]].concat()).status, 0);
    let proof = dir.path().join("proof").display().to_string();
    let made = json(&call(&[&["prove", "LDG-4471", "--out", &proof, "--json"], &at[..]].concat()));
    let root = made["root"].as_str().unwrap();
    let none = call(&[&["prove", "LDG-9999", "--out", &proof], &at[..]].concat());
    assert!(none.status == 1 && none.err.contains("no leaf states `LDG-9999`"), "{}", none.err);

    fs::remove_dir_all(&store).unwrap();
    let check = |more: &[&str]| call(&[&["verify", "--proof", &proof, "--root", root], more].concat());
    let held = check(&[]);
    assert!(
        held.status == 0 && held.out.contains("The proof holds: ticket LDG-4471"),
        "{}{}",
        held.out,
        held.err
    );
    assert!(held.out.contains("bytes 36..44 of the text (line 15, output)"), "{}", held.out);
    let held = json(&check(&["--json"]));
    assert_eq!((&held["proof"], &held["text"]), (&"holds".into(), &"not checked".into()), "{held}");
    assert_eq!(
        (&held["text_digest"], &held["path"].as_array().unwrap().last().unwrap()["id"]),
        (&made["text_digest"], &made["root"])
    );

    let text = dir.path().join("text").display().to_string();
    let said = "error: shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait.";
    fs::write(&text, said).unwrap();
    assert!(check(&["--text", &text]).out.contains("says it there"));
    fs::write(&text, said.replace("4471", "4417")).unwrap();
    let other = json(&check(&["--text", &text, "--json"]));
    assert_eq!((&other["proof"], &other["code"]), (&"refused".into(), &"proof.text".into()));

    let elsewhere = root.replace(|c: char| c.is_ascii_digit(), "a");
    let refused = call(&["verify", "--proof", &proof, "--root", &elsewhere]);
    assert!(refused.status == 1 && refused.out.contains("proof.root"), "{}", refused.out);
    for args in [&["verify", "--proof", &proof][..], &["verify", "--proof", &proof, "--root", &root[..12]]] {
        assert_eq!(call(args).status, 2);
    }
    let mut bytes = fs::read(&proof).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&proof, bytes).unwrap();
    let refused = check(&[]);
    assert!(refused.status == 1 && refused.out.contains("The proof does not hold."), "{}", refused.out);
}

#[test]
fn the_words_of_a_leaf_are_shown_without_its_credentials() {
    let dir = tempfile::tempdir().unwrap();
    let secret = ["Tt-7721", "-Yq93"].concat();
    let first =
        serde_json::json!({"role": "user", "content": "Connect to the relay and wait for the window."});
    let said = format!(
        "Connect to the relay with PGPASSWORD={secret} and wait for the window. Error E2107 came back."
    );
    let record = serde_json::json!({"role": "user", "content": said});
    let file = dir.path().join("session.jsonl");
    fs::write(&file, format!("{first}\n{record}\n")).unwrap();
    let store = store(&dir);
    let at = ["--store", &store];
    let run = call(&[&["run", &file.display().to_string()], &at[..]].concat());
    assert_eq!(run.status, 0, "{} {}", run.out, run.err);
    for ask in [
        &["origin", "Connect to the relay and wait for the window"][..],
        &["recover", "E2107"],
        &["recover", "wait for the window"],
    ] {
        let told = call(&[ask, &at[..]].concat());
        assert!(told.out.contains("wait for the window"), "{ask:?}: {} {}", told.out, told.err);
        assert!(!told.out.contains(&secret), "{ask:?}: {}", told.out);
    }
}

#[test]
fn a_pin_that_no_leaf_states_and_a_class_of_no_fact_are_errors() {
    let (dir, file) = session();
    let store = store(&dir);
    for pin in ["LDG-9999", ""] {
        let run = call(&["run", &file, "--store", &store, "--pin", pin]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{pin}");
        assert!(run.err.contains(&format!("the pinned fact `{pin}` stands in no leaf")), "{}", run.err);
    }
    let run = call(&["run", &file, "--store", &store, "--pin", "LDG-4417"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let told = call(&["lost", "--class", "nope", "--store", &store]);
    assert_eq!((told.status, told.out.as_str()), (2, ""));
    assert!(
        told.err.contains("`nope` is no class of facts") && told.err.contains("error_code"),
        "{}",
        told.err
    );
}

#[test]
fn equal_runs_at_once_make_one_tree_and_none_of_them_fails() {
    let (dir, file) = session();
    let store = store(&dir);
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let (file, store) = (file.clone(), store.clone());
            std::thread::spawn(move || call(&["run", &file, "--store", &store, "--json"]))
        })
        .collect();
    let roots: Vec<Value> = runs
        .into_iter()
        .map(|run| run.join().unwrap())
        .map(|run| {
            assert_eq!(run.status, 0, "{} {}", run.out, run.err);
            json(&run)["root"].clone()
        })
        .collect();
    assert!(roots.iter().all(|root| root == &roots[0] && root.is_string()), "{roots:?}");
    let history = json(&call(&["history", "--json", "--store", &store]));
    assert_eq!(history["generations"].as_array().map(Vec::len), Some(1), "{history}");
}
