//! What is a credential and what is none, over all kinds.

use super::super::testing::{all, none, of, reads};
use crate::{Class, read};

#[test]
fn values_under_sensitive_keys() {
    reads(
        Class::Secret,
        &[
            ("{\"token\":\"deadbeef12345678\",\"bucket\":\"exp-77\"}", &["deadbeef12345678"]),
            ("{\"args\":\"{\\\"api_key\\\":\\\"Zx81Qr55\\\"}\"}", &["Zx81Qr55"]),
            ("DB_PASSWORD=hunter2x and PORT=7001", &["hunter2x"]),
            ("password: swordfish\nuser: kim", &["swordfish"]),
            ("aws_secret_access_key = abCD/12+ef==", &["abCD/12+ef=="]),
            ("X-Api-Key: 77aa88bb", &["77aa88bb"]),
            ("Authorization: Bearer tk_live_EXAMPLE_0a1b2c3d4e5f.", &["tk_live_EXAMPLE_0a1b2c3d4e5f"]),
            ("clientSecret: 'q8W-e9R_t0'", &["q8W-e9R_t0"]),
        ],
    );
    assert_eq!(of(Class::Identifier, "{\"token\":\"deadbeef12345678\",\"bucket\":\"exp-77\"}"), ["exp-77"]);
}

#[test]
fn secrets_by_their_shape() {
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{}", "a1B2c3D4".repeat(4));
    reads(
        Class::Secret,
        &[
            ("Pasted key AKIAEXAMPLE00000000. Migrate", &["AKIAEXAMPLE00000000"]),
            ("ghp_0a1b2c3d4e5f6g7h8i9j0k1l", &["ghp_0a1b2c3d4e5f6g7h8i9j0k1l"]),
            (&format!("jwt {jwt} end"), &[&jwt]),
            ("postgres://app:s3cr3t@db.acme.example:5432/pay", &["s3cr3t"]),
            ("https://x.example/f?id=4&token=abcd1234efgh", &["abcd1234efgh"]),
        ],
    );
    let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJB\nAKj34\n-----END RSA PRIVATE KEY-----\nend";
    assert_eq!(all(text).len(), 1);
    let cut = "-----BEGIN PRIVATE KEY-----\nMIIBOgIBAAJB\n\nnode-4";
    assert_eq!(all(cut).iter().map(|f| f.0).collect::<Vec<_>>(), [Class::Secret, Class::Identifier]);
}

#[test]
fn what_is_no_secret() {
    none(
        Class::Secret,
        &[
            "the rollback token is VX-51-KILO",
            "Lena revoked token tkn_live_88.",
            "Tokens must be at least 32 bytes",
            "auth: token TTL 900 s",
            "max_tokens=4096, total_tokens: 512",
            "password=$DB_PASSWORD token=<redacted> secret: [REDACTED]",
            "token: expired",
            "The secret: always test first",
            "api_key: string",
            "password=******",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        ],
    );
}

#[test]
fn a_secret_has_no_canonical_text_and_no_id() {
    let r = read("password=hunter2x");
    assert_eq!((r.canonical(&r.facts[0]).as_ref(), r.id(&r.facts[0])), ("", None));
}

#[test]
fn nothing_around_a_secret_prints_it() {
    for text in [
        "Run `psql password=Tr0ub4dor3xyz` on db-7.",
        "ran psql password=Tr0ub4dor3xyz -c 'select 1' on db-7",
        "it said \"password=Tr0ub4dor3xyz is wrong\" on db-7",
    ] {
        let r = read(text);
        assert!(r.facts.iter().any(|f| f.class == Class::Secret), "{text}");
        assert!(r.facts.iter().any(|f| f.span.of(text) == "db-7"), "{text}");
        for f in r.facts.iter().filter(|f| f.class != Class::Secret) {
            assert!(!f.span.of(text).contains("Tr0ub4dor3xyz"), "{} in {text}", f.class);
            assert!(f.whole.is_none_or(|w| w < r.facts.len()));
        }
    }
}

#[test]
fn options_of_commands() {
    reads(
        Class::Secret,
        &[
            ("$ psql --password=hunter2x -h db-7", &["hunter2x"]),
            ("$ ./deploy.sh --db-password swordfish --retries 3", &["swordfish"]),
            ("ran ./deploy --token 9f8e7d6c5b4a3210 on db-7", &["9f8e7d6c5b4a3210"]),
            ("pass --api-key=Zx81Qr55mm to it", &["Zx81Qr55mm"]),
            ("curl -u deploy:Tr0ub4dor3 https://ci.acme.example/x", &["Tr0ub4dor3"]),
            ("$ curl -su admin:s3cr3t-9 --user bob:hunter2 https://x.example", &["hunter2"]),
            ("$ curl --user 'bob:hunter 2' https://x.example", &["hunter 2"]),
            ("curl -u user:pass https://x.example", &["pass"]),
            ("$ mysql -uroot -pTr0ub4dor3 shop", &["Tr0ub4dor3"]),
            ("sshpass -p hunter2 ssh ops@db-7", &["hunter2"]),
            ("redis-cli -h cache-1 -a Gk29xLm4 ping", &["Gk29xLm4"]),
            ("docker login -u ci -p Gk29xLm4 registry.example", &["Gk29xLm4"]),
            ("curl -H 'Authorization: Bearer 0a1b2c3d4e5f6071' https://x.example", &["0a1b2c3d4e5f6071"]),
            ("curl -H \"X-Api-Key: 77aa88bb99\" https://x.example", &["77aa88bb99"]),
            ("curl -H 'Authorization: Basic dXNlcjpwYXNz' https://x.example", &["dXNlcjpwYXNz"]),
        ],
    );
    none(
        Class::Secret,
        &[
            "run it with --token-limit 5 and --max-tokens 4096",
            "use --password to set it, --token for the rest",
            "$ psql --password=$PGPASSWORD --token \"$TOKEN\"",
            "$ docker login --password-stdin -u ci registry.example",
            "$ docker run -u 1000:1000 --user app:app image:3",
            "$ mysql -u root -p shop",
            "$ mkdir -p /srv/app && cp -p a.txt b.txt",
            "$ cargo test -p ledger",
            "$ curl -u \"$USER:$PASS\" https://x.example",
            "$ curl -u ci:<token> https://x.example",
            "$ vault write --token-ttl=3600s",
            "$ deploy --secret-name my-tls --password-file /run/pw",
        ],
    );
}

#[test]
fn assignments_and_records() {
    reads(
        Class::Secret,
        &[
            ("DB_PASS=swordfish ./run", &["swordfish"]),
            ("export PGPASSWORD=hunter2 && psql", &["hunter2"]),
            ("REDIS_PASSWORD='it is l0ng'", &["it is l0ng"]),
            ("STRIPE_SECRET=a8F3kk29dLs0", &["a8F3kk29dLs0"]),
            ("GITLAB_TOKEN=Zt81mQv0aXw93", &["Zt81mQv0aXw93"]),
            ("spring.datasource.password=Tr0ub4dor3", &["Tr0ub4dor3"]),
            ("dbPassword: \"Tr0ub4dor&3\"", &["Tr0ub4dor&3"]),
            ("password=\"don't-9\" in it", &["don't-9"]),
            ("{\"name\": \"DB_PASSWORD\", \"value\": \"hunter2x\"}", &["hunter2x"]),
            ("- name: DB_PASSWORD\n  value: hunter2x\n", &["hunter2x"]),
            ("<password>hunter2x</password>", &["hunter2x"]),
            ("[client]\nuser = root\npassword = swordfish\n", &["swordfish"]),
            (
                "aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
                &["AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            ),
            (
                "keys: AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                &["AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            ),
            ("PASSWORD=Ab,c;d", &["Ab,c"]),
            ("password: hunter2, host: db-7", &["hunter2"]),
            ("password = \"hunter2x\"  # old", &["hunter2x"]),
            ("secret key: Zx81Qr55mm", &["Zx81Qr55mm"]),
            ("Passwort: Xk82mmQ1", &["Xk82mmQ1"]),
        ],
    );
}

#[test]
fn passwords_that_a_sentence_tells() {
    reads(
        Class::Secret,
        &[
            ("The password is Tr0ub4dor3.", &["Tr0ub4dor3"]),
            ("the db password is hunter2, use it", &["hunter2"]),
            ("The password for the staging database is `hunter2x`.", &["hunter2x"]),
            ("I changed the root password to Zk81-mQ0x.", &["Zk81-mQ0x"]),
            ("Log in as kim with password hunter2.", &["hunter2"]),
            ("user kim, password hunter2x", &["hunter2x"]),
            ("**Password:** hunter2x", &["hunter2x"]),
            ("the API key is 77aa88bb99cc00dd11", &["77aa88bb99cc00dd11"]),
            ("the password is \"swordfish\"", &["swordfish"]),
        ],
    );
    none(
        Class::Secret,
        &[
            "the password is wrong",
            "The password is required.",
            "the password is stored in vault",
            "password is `None` and token is `null`",
            "the password was rotated on 2026-03-01",
            "the password is 12 characters long",
            "the password is sha256 hashed",
            "password for the user is in db_password",
            "the password needs to be at least 8",
            "reset the password to continue",
            "the rollback token is VX-51-KILO",
            "token count: 5000, token usage: 12k",
            "secret santa is on 2026-12-24",
            "the key is E2107 and the key: value pairs",
            "with password authentication and with password hashing",
        ],
    );
}

#[test]
fn keys_that_are_given_out() {
    let body = "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R";
    for head in [
        "ghp_",
        "gho_",
        "ghs_",
        "ghr_",
        "github_pat_",
        "glpat-",
        "sk-",
        "sk-ant-",
        "sk-proj-",
        "sk_live_",
        "xoxb-",
        "xoxp-",
        "AIza",
        "npm_",
        "hf_",
        "pypi-",
        "dckr_pat_",
        "SG.",
        "whsec_",
        "hvs.",
        "GOCSPX-",
        "glsa_",
        "gsk_",
    ] {
        let token = format!("{head}{body}");
        assert_eq!(of(Class::Secret, &format!("it used {token}, then")), [token.as_str()], "{head}");
        assert_eq!(
            of(Class::Secret, &format!("it used {head}{}", "x".repeat(36))),
            Vec::<&str>::new(),
            "{head}"
        );
    }
    none(
        Class::Secret,
        &[
            "sk-learn-1-2-compat-branch-name-here",
            "the npm_config_registry_of_this_project_is set",
            "hf_hub_download_of_files",
        ],
    );
}

#[test]
fn credentials_in_urls_and_paths() {
    reads(
        Class::Secret,
        &[
            (
                "git clone https://x-access-token:ghs_16C7e42F292c6912E7710c83@github.com/a/b",
                &["ghs_16C7e42F292c6912E7710c83"],
            ),
            ("https://user:pass@host.example/x", &["pass"]),
            (
                "https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b",
                &["ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
            ),
            ("GET /login?user=kim&password=hunter2x HTTP/1.1", &["hunter2x"]),
            ("/srv/dump/password=hunter2x/part-0.csv", &["hunter2x"]),
            ("https://x.example/cb#access_token=abcd1234efgh5678", &["abcd1234efgh5678"]),
            ("https://x.example/f?password=swordfish", &["swordfish"]),
            (
                "https://hooks.slack.com/services/T02AB3CD4/B05EF6GH7/a1B2c3D4e5F6g7H8",
                &["T02AB3CD4/B05EF6GH7/a1B2c3D4e5F6g7H8"],
            ),
        ],
    );
    none(
        Class::Secret,
        &[
            "postgres://user:password@localhost/db",
            "https://user:<password>@host.example",
            "https://${USER}:${PASS}@host.example",
            "https://x.example/?token=<token>&key=value",
            "https://x.example/docs/password=reset/",
            "GET /reset?token=$TOKEN",
        ],
    );
}

#[test]
fn code_types_and_placeholders_are_no_secrets() {
    none(
        Class::Secret,
        &[
            "token = next_token()",
            "let token = lexer.next();",
            "password: str, token: Optional[str] = None",
            "def login(user: str, password: str) -> Token:",
            "pub struct Login { password: String, token: Option<Token> }",
            "connect(user=user, password=self.password)",
            "connect(password=password, token=auth_token)",
            "api_key=os.environ[\"API_KEY\"]",
            "const token = req.headers.authorization;",
            "password = getpass.getpass()",
            "token: Token::Ident, secret: SecretStr",
            "PASSWORD=changeme API_KEY=your-api-key",
            "password: <password>, token: ***, secret: xxxx",
            "DB_PASSWORD=${DB_PASSWORD:-} TOKEN=$(cat /run/token)",
            "password: None, token: true, secret: false",
            "max_tokens: 4096, next_token: abc123def456",
            "secret: my-tls-secret-2",
            "token: deploy-bot-3",
            "PWD=/srv/app OLDPWD=/home/kim",
            "secretName: db-creds\nsecretKeyRef: db",
            "commit 3f9a1c20b7d84e5f3f9a1c20b7d84e5f3f9a1c20 fixed it",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "{\"password\": \"This field is required.\"}",
            "{\"password\": {\"type\": \"string\", \"minLength\": 8}}",
            "Password: at least 12 characters",
            "Authorization: Bearer <token>",
            "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
            "-----BEGIN PRIVATE KEY----- is the marker",
            "if password == other.password:",
            "Enter password: ",
            "cookie: theme=dark",
            "input_tokens=5120 output_token: 77",
            "for token in tokens: print(token)",
            "password: {{ vault_password }}",
        ],
    );
}

#[test]
fn a_key_block_that_was_cut_off_ends_where_the_key_does() {
    let text = "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34\nGkxFhD90vcNLYLInFE\nthen node-4 failed";
    assert_eq!(
        of(Class::Secret, text),
        ["-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34\nGkxFhD90vcNLYLInFE\n"]
    );
    assert_eq!(of(Class::Identifier, text), ["node-4"]);
    let line = "{\"key\": \"-----BEGIN PRIVATE KEY-----\\nMIIBOgIBAAJB\\n-----END PRIVATE KEY-----\\n\", \"id\": \"node-4\"}";
    assert_eq!(of(Class::Identifier, line), ["node-4"]);
}

#[test]
fn names_of_code_with_digits_are_no_secrets() {
    none(
        Class::Secret,
        &[
            "def sign(self, private_key: ed25519.Ed25519PrivateKey, x: int)",
            "DEVSTAT_MATCH_PASS = 0x04,",
            "-H \"Authorization: Bearer OAUTH2_TOKEN\" \\",
            ":type passphrase: :py:data:`bytes`",
            "_START = b\"-----BEGIN OPENSSH PRIVATE KEY-----\"\n_END = b\"-----END OPENSSH PRIVATE KEY-----\"",
            "dyn Provider<Credential = AwsCredential>>;",
            "pub flags: X509HardwareKeyUsageFlags, token: X509HardwareKeyUsageFlags,",
            "let eq_token: Token![=] = input.parse()?;",
        ],
    );
}
