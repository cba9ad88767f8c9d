//! Words at which a class looks closer: one probe a word.

use super::lexicon::Lexicon;

/// What a word may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hook {
    /// A command line: a program that is no other word.
    Program,
    /// A command line: a program that is a common word too.
    Common,
    /// The name of a credential.
    Sensitive,
    /// `Bearer`: a credential follows.
    Bearer,
    /// A date: the number of a month.
    Month(u8),
    /// A date: the number of a weekday, Monday = 1.
    Weekday(u8),
    /// A number.
    Number(u16),
    /// A number that multiplies what stands before it.
    Power(u64),
    /// A time that hangs on an anchor.
    Anchored,
    /// `last`, `next`: such a time may follow.
    Anchoring,
    /// `line`: the lines of a file follow.
    Line,
    /// `exit`, `HTTP`: a code follows.
    Status,
    /// `noon`, `midnight`: the hour of a day.
    Hour(u8),
    /// `half`: half of a unit may follow.
    Half,
}

use Hook::{
    Anchored, Anchoring, Bearer, Common, Half, Hour, Line, Month, Number, Power, Program, Sensitive, Status,
    Weekday,
};

/// The hooks, in lower case.
pub(super) static HOOKS: Lexicon<Hook, 1024> = Lexicon::new(&[
    (
        "cargo git npm npx yarn pnpm python python3 pip pip3 uv pytest cmake docker kubectl helm \
         terraform aws gcloud az psql mysql sqlite3 curl wget ssh scp rsync grep rg sed awk ls cp mv \
         rm mkdir chmod chown sudo systemctl journalctl apt dnf yum bash sh zsh gradle mvn javac \
         rustc rustup ffmpeg openssl nix bazel deno bun tsc eslint jest vitest mypy ruff conda podman \
         gh tar jq dig nmap ansible mongosh gcc clang ninja tox poetry rake bundle iptables strace \
         crontab launchctl xcodebuild gofmt nginx pgbench redis ln sha256sum md5sum xargs tee nc lsof \
         netstat tcpdump vim nano tmux ctest phpunit composer rspec dotnet flutter minikube kustomize \
         argocd flux vault consul nomad packer",
        Program,
    ),
    (
        "go make node java ruby perl find cat head tail kill test just black ps df du top less sort \
         cut echo export source touch ping host service brew mount watch time cd diff patch tree \
         which date env set",
        Common,
    ),
    (
        "password passwd pwd passphrase secret token apikey authorization credential credentials \
         cookie accesstoken refreshtoken clientsecret privatekey secretkey accesskey authtoken \
         sessiontoken apisecret passcode passwort kennwort contraseña senha wachtwoord pw key \
         lösenord passord adgangskode salasana hasło heslo jelszó şifre parola parolă lozinka \
         пароль Пароль пароля κωδικός Κωδικός סיסמה passe",
        Sensitive,
    ),
    ("bearer", Bearer),
    ("january jan", Month(1)),
    ("february feb", Month(2)),
    ("march mar", Month(3)),
    ("april apr", Month(4)),
    ("may", Month(5)),
    ("june jun", Month(6)),
    ("july jul", Month(7)),
    ("august aug", Month(8)),
    ("september sep sept", Month(9)),
    ("october oct", Month(10)),
    ("november nov", Month(11)),
    ("december dec", Month(12)),
    ("monday mon", Weekday(1)),
    ("tuesday tue tues", Weekday(2)),
    ("wednesday wed", Weekday(3)),
    ("thursday thu thurs", Weekday(4)),
    ("friday fri", Weekday(5)),
    ("saturday sat", Weekday(6)),
    ("sunday sun", Weekday(7)),
    ("zero", Number(0)),
    ("one", Number(1)),
    ("two", Number(2)),
    ("three", Number(3)),
    ("four", Number(4)),
    ("five", Number(5)),
    ("six", Number(6)),
    ("seven", Number(7)),
    ("eight", Number(8)),
    ("nine", Number(9)),
    ("ten", Number(10)),
    ("eleven", Number(11)),
    ("twelve", Number(12)),
    ("thirteen", Number(13)),
    ("fourteen", Number(14)),
    ("fifteen", Number(15)),
    ("sixteen", Number(16)),
    ("seventeen", Number(17)),
    ("eighteen", Number(18)),
    ("nineteen", Number(19)),
    ("twenty", Number(20)),
    ("thirty", Number(30)),
    ("forty", Number(40)),
    ("fifty", Number(50)),
    ("sixty", Number(60)),
    ("seventy", Number(70)),
    ("eighty", Number(80)),
    ("ninety", Number(90)),
    ("dozen", Power(12)),
    ("hundred", Power(100)),
    ("thousand", Power(1_000)),
    ("million", Power(1_000_000)),
    ("billion", Power(1_000_000_000)),
    ("trillion", Power(1_000_000_000_000)),
    ("yesterday today tomorrow tonight", Anchored),
    ("last next this previous", Anchoring),
    ("line lines", Line),
    ("noon", Hour(12)),
    ("midnight", Hour(0)),
    ("half", Half),
    ("exit exited http errno sqlstate signal", Status),
]);
