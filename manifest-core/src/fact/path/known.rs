//! Which names are files and folders.

use super::super::byte::{ALNUM, LETTER, class};
use super::super::lexicon::Words;

/// What follows the last dot of a file name, if it can be an extension.
pub(in super::super) fn extension(name: &str) -> Option<&str> {
    let (stem, ext) = name.rsplit_once('.')?;
    let shape = !stem.is_empty()
        && (1..=12).contains(&ext.len())
        && ext.bytes().all(|b| class(b) & ALNUM != 0 || b == b'_')
        && ext.bytes().any(|b| class(b) & LETTER != 0);
    shape.then_some(ext)
}

/// Whether the name has the extension of a kind of file.
pub(in super::super) fn is_file(name: &str) -> bool {
    extension(name).is_some_and(|ext| {
        let small = ext.bytes().all(|b| !b.is_ascii_uppercase());
        let loud = ext.len() > 1 && ext.bytes().all(|b| !b.is_ascii_lowercase());
        // `p.m`, `the end.So`: neither is a file.
        (small || loud) && name.len() > 3 && EXTENSIONS.has_folded(ext)
    })
}

static EXTENSIONS: Words<1024> = Words::new(
    "rs py pyi js mjs cjs ts mts tsx jsx go java kt kts c h cc cpp cxx hpp hh cs rb php sh bash zsh fish ps1 bat cmd sql \
     toml yaml yml json jsonl json5 ndjson xml html htm css scss sass less md mdx rst adoc txt csv tsv log conf cfg ini env \
     lock pdf doc docx xls xlsx ppt pptx odt png jpg jpeg gif svg ico webp mp3 mp4 wav mov avi zip tar gz tgz bz2 xz zst \
     rar whl jar war so dll exe bin dat db sqlite sqlite3 parquet avro orc arrow pem crt cer key pub p12 pfx proto graphql \
     gql tf tfvars tfstate hcl ipynb r rmd jl lua swift m mm dart ex exs erl hs ml mli scala sbt clj edn vue svelte astro \
     patch diff out err bak tmp swp pid sock socket service timer target mk cmake gradle properties plist rpm deb apk ipa dmg \
     iso img map wasm wat snap tpl tmpl j2 pkl npz npy pt pth onnx safetensors gguf h5 hdf5 feather prof trace pcap har ics \
     eml msg vsdx psd fig sketch ttf woff woff2 eot pyc o a lib pdb dump core crash nix bzl bazel rules old orig vtt srt webm heic tiff bmp xsd xsl wsdl cjsx coffee pl pm tcl vb fs fsx nim zig v vhd \
     asm s ll cu cl glsl hlsl frag vert bib tex sty cls csproj sln vcxproj pbxproj xcconfig entitlements podspec gemspec lhs",
);

/// Names of products that look like files.
pub(super) fn is_product(name: &str) -> bool {
    let script = extension(name).is_some_and(|e| e.eq_ignore_ascii_case("js"));
    script && (name.bytes().next().is_some_and(|b| b.is_ascii_uppercase()) || PRODUCTS.has(name))
}

static PRODUCTS: Words<32> =
    Words::new("node.js vue.js next.js express.js d3.js three.js nuxt.js alpine.js backbone.js");

/// Names without an extension that are files.
pub(super) fn is_bare_file(name: &str) -> bool {
    BARE.has(name)
}

static BARE: Words<32> = Words::new(
    "Makefile Dockerfile Jenkinsfile Vagrantfile Gemfile Rakefile Procfile Brewfile Justfile justfile Tiltfile Caddyfile CODEOWNERS",
);

/// Whether a name that begins with a dot is a file rather than the end of something.
pub(super) fn is_hidden(name: &str) -> bool {
    let n = name.trim_start_matches('.');
    HIDDEN.has(n) || n.starts_with("env.") || n.contains('.') && is_file(n)
}

static HIDDEN: Words<64> = Words::new(
    "env git github gitlab ssh npmrc bashrc zshrc profile bash_profile dockerignore gitignore gitmodules gitattributes \
     editorconfig vscode idea cargo config eslintrc prettierrc nvmrc venv aws kube docker npm cache local helmignore",
);

/// First parts of the names of branches.
pub(super) fn is_branch(name: &str) -> bool {
    BRANCHES.has(name)
}

static BRANCHES: Words<64> = Words::new(
    "feature feat fix bugfix hotfix release chore docs origin upstream refs test ci dev user users wip topic task story epic \
     support revert dependabot renovate",
);

/// Folders that projects and systems begin their paths with.
pub(super) fn is_folder(name: &str) -> bool {
    FOLDERS.has(name)
}

static FOLDERS: Words<256> = Words::new(
    "src crates pkg lib libs app apps docs doc test tests bin etc home usr var opt tmp node_modules target dist build scripts \
     config configs examples packages internal cmd api assets static public vendor tools benches migrations components \
     services modules include spec deploy infra data models views utils fixtures templates charts k8s terraform logs hooks \
     pages routes server client backend frontend common core shared web ci",
);
