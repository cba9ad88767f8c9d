//! Messages of checks that run in the compiler, where nothing can be allocated.

/// A line put together while compiling, where nothing can be allocated.
pub(crate) struct Message {
    bytes: [u8; 640],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Message { bytes: [0; 640], len: 0 }
    }

    pub(crate) const fn text(mut self, text: &str) -> Self {
        let (text, mut i) = (text.as_bytes(), 0);
        while i < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    pub(crate) const fn number(mut self, number: u32) -> Self {
        let mut scale = 1_000_000_000;
        let mut begun = false;
        while scale > 0 {
            let digit = number / scale % 10;
            begun = begun || digit > 0 || scale == 1;
            if begun && self.len < self.bytes.len() {
                self.bytes[self.len] = b'0' + digit as u8;
                self.len += 1;
            }
            scale /= 10;
        }
        self
    }

    /// A share in parts per million as a decimal without trailing zeros.
    #[expect(clippy::cast_possible_truncation, reason = "a digit")]
    pub(crate) const fn share(mut self, parts: u32) -> Self {
        self = self.number(parts / 1_000_000);
        let mut rest = parts % 1_000_000;
        if rest > 0 {
            self = self.text(".");
        }
        while rest > 0 && self.len < self.bytes.len() {
            self.bytes[self.len] = b'0' + (rest / 100_000) as u8;
            self.len += 1;
            rest = rest % 100_000 * 10;
        }
        self
    }

    pub(crate) const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "a number is out of range",
        }
    }
}
