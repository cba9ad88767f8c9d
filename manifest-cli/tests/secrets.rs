//! Credentials of every kind are shown nowhere: not in a report, a list of facts, a ledger, a screen or an audit.
#![expect(clippy::indexing_slicing, reason = "a missing part of an answer fails the test")]

mod common;

use common::{answers, check, codes, file, folder, run};
use serde_json::json;

/// How a text holds a credential, and the part of it that must not be seen.
const KINDS: [(&str, &str); 20] = [
    ("ran ./deploy --password=Tr0ub4dor3xyz on", "Tr0ub4dor3xyz"),
    ("ran ./deploy --api-key Zx81Qr55mm77 on", "Zx81Qr55mm77"),
    ("set DB_PASS=Tr0ub4dor3xyz for", "Tr0ub4dor3xyz"),
    ("set MAIL_SECRET=a8F3kk29dLs0 for", "a8F3kk29dLs0"),
    ("called curl -u deploy:Tr0ub4dor3xyz https://ci.acme.example/x from", "Tr0ub4dor3xyz"),
    ("called curl -H 'Authorization: Bearer 0a1b2c3d4e5f6071' from", "0a1b2c3d4e5f6071"),
    ("sent Authorization: Basic ZGVwbG95OlRyMHVi to", "ZGVwbG95OlRyMHVi"),
    ("cloned https://deploy:Tr0ub4dor3xyz@git.acme.example/a on", "Tr0ub4dor3xyz"),
    ("said that the password is Tr0ub4dor3xyz for", "Tr0ub4dor3xyz"),
    ("wrote password: Tr0ub4dor3xyz; it is for", "Tr0ub4dor3xyz"),
    (
        "pasted AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY on",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
    ("set aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY on", "wJalrXUtnFEMI"),
    ("used ghp_16C7e42F292c6912E7710c838347Ae178B4a on", "16C7e42F292c6912E7710c838347Ae178B4a"),
    ("used xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzzqgy on", "pdFZKVeTuE8sk7oOcHrzzqgy"),
    ("used glpat-Zt81mQv0aXw93LkRbY72 on", "Zt81mQv0aXw93LkRbY72"),
    ("used sk-proj-Zt81mQv0aXw93LkRbY72hGdE on", "Zt81mQv0aXw93LkRbY72hGdE"),
    ("used npm_Zt81mQv0aXw93LkRbY72hGdEZt81mQv0aXw9 on", "Zt81mQv0aXw93LkRbY72hGdE"),
    ("used eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.a1B2c3D4a1B2c3D4a1B2c3D4 on", "eyJzdWIiOiIxMjM0In0"),
    ("read GET /login?user=kim&password=Tr0ub4dor3xyz from", "Tr0ub4dor3xyz"),
    (
        "found -----BEGIN PRIVATE KEY-----\nMIIBOgIBAAJBAKj34\n-----END PRIVATE KEY----- on",
        "MIIBOgIBAAJBAKj34",
    ),
];

#[test]
fn no_kind_of_credential_is_shown() {
    for (text, secret) in KINDS {
        let child = format!("The worker {text} node-7 and failed with E_AUTH_31.");
        for parent in [child.as_str(), "The worker failed on node-7 with E_AUTH_31.", "It failed."] {
            let line = json!({"children": [child], "parent": parent, "context": [child], "pinned": [child]});
            for verb in ["check", "facts", "ledger"] {
                let run = run(&[verb, "--jsonl"], line.to_string());
                assert_eq!(run.status, 0, "{}", run.err);
                assert!(!run.out.contains(secret), "{verb} shows {secret}: {}", run.out);
            }
        }
        let told = check(&json!({"children": [child], "parent": child}));
        assert_eq!(told["verdict"], "reject", "{text}: {told}");
        assert!(codes(&told).contains(&"secret.in_text"), "{text}: {told}");
        let kept =
            check(&json!({"children": [child], "parent": "The worker failed on node-7 with E_AUTH_31."}));
        assert!(!codes(&kept).contains(&"secret.in_text"), "{text}: {kept}");
        assert!(
            kept["lost"].as_array().is_some_and(|lost| lost.iter().all(|row| row["kind"] != "secret")),
            "{kept}"
        );
    }
}

#[test]
fn no_screen_and_no_audit_shows_a_credential() {
    let folder = folder("secrets");
    for (number, (text, secret)) in KINDS.into_iter().enumerate() {
        let child = format!("The worker {text} node-7 and failed with E_AUTH_31.");
        let source = file(&folder, &format!("source-{number}.txt"), &child);
        let summary = file(&folder, &format!("summary-{number}.txt"), &child);
        let lines = [
            json!({"role": "user", "content": child}),
            json!({"role": "system", "compaction": true, "content": child}),
            json!({"role": "assistant", "content": format!("{child} Again on node-7.")}),
        ];
        let session = lines.map(|line| line.to_string()).join("\n");
        let session = file(&folder, &format!("session-{number}.jsonl"), session);
        for args in [
            &["check", &source, &summary][..],
            &["check", "--json", &source, &summary],
            &["facts", &source],
            &["ledger", &source],
            &["audit", &session],
            &["audit", "--json", &session],
            &["audit", "--list", &session],
        ] {
            let run = run(args, "");
            assert!(run.status != 2, "{args:?}: {}", run.err);
            assert!(
                !run.out.contains(secret) && !run.err.contains(secret),
                "{args:?}: {}{}",
                run.out,
                run.err
            );
        }
    }
}

#[test]
fn a_credential_of_one_text_is_one_in_the_others() {
    let children =
        ["db-7 uses password=Tr0ub4dor3xyz since 10:00.", "Logged in with Tr0ub4dor3xyz on db-7: E_AUTH_31."];
    let line = json!({"children": children, "parent": "Tr0ub4dor3xyz works on db-7, E_AUTH_31."});
    for verb in ["check", "facts", "ledger"] {
        let run = run(&[verb, "--jsonl"], line.to_string());
        assert!(run.out.contains("10:00") || verb == "check");
        assert!(!run.out.contains("Tr0ub4dor3xyz"), "{verb}: {}", run.out);
    }
    let told = check(&line);
    assert!(codes(&told).contains(&"secret.in_text"), "{told}");
    assert!(!codes(&told).contains(&"referent.invented"), "{told}");
}

#[test]
fn what_stands_for_a_credential_is_none() {
    let texts = [
        "Set DB_PASSWORD=${DB_PASSWORD} and password=<password> on node-7.",
        "The password is wrong; token count: 5000, --token-limit 5 on node-7.",
        "let token = next_token(); password: str, password=self.password",
        "Secret santa: the password is required, API_KEY=your-api-key, ***",
        "commit 3f9a1c20b7d84e5f3f9a1c20b7d84e5f3f9a1c20 of node-7",
    ];
    let run = run(&["facts", "--jsonl"], json!({"children": texts}).to_string());
    assert!(answers(&run)[0]["facts"].as_array().is_some_and(|all| !all.is_empty()));
    assert!(!run.out.contains("\"secret\""), "{}", run.out);
}

#[test]
fn a_secret_is_shown_nowhere() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let child = format!("The deploy used the token {secret} and failed with E_AUTH_31.");
    for parent in [child.as_str(), "The deploy failed with E_AUTH_31.", "The deploy failed."] {
        let line =
            json!({"children": [child], "parent": parent, "context": [child], "pinned": [child]}).to_string();
        for verb in ["check", "facts", "ledger"] {
            let run = run(&[verb, "--jsonl"], &line);
            assert_eq!(run.status, 0, "{}", run.err);
            assert!(!run.out.contains(&secret[4..]), "{verb} of {parent:?} shows it: {}", run.out);
        }
    }
    let told = check(&json!({"children": [child], "parent": child}));
    assert_eq!(told["verdict"], "reject");
    assert!(codes(&told).contains(&"secret.in_text"), "{told}");
}
