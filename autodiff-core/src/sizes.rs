//! What a constant assertion says of sizes that do not fit: a message, and what its names stand for.

/// A text that is put together when constants are evaluated.
pub struct Message {
    bytes: [u8; 1024],
    len: usize,
    names: usize,
}

impl Message {
    /// A message to begin with.
    #[must_use]
    pub const fn new(text: &str) -> Message {
        Message { bytes: [0; 1024], len: 0, names: 0 }.push(text)
    }

    /// … where `name` is `size`
    #[must_use]
    pub const fn name(self, name: &str, size: usize) -> Message {
        let names = self.names;
        let mut longer = self.push(if names == 0 { ", where " } else { " and " }).push(name).push(" is ").number(size);
        longer.names = names + 1;
        longer
    }

    /// The whole.
    #[must_use]
    pub const fn text(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            // Only what was too long can be cut within a character.
            Err(_) => "sizes differ",
        }
    }

    const fn push(mut self, text: &str) -> Message {
        let text = text.as_bytes();
        let mut k = 0;
        while k < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[k];
            self.len += 1;
            k += 1;
        }
        self
    }

    const fn number(self, size: usize) -> Message {
        let longer = if size >= 10 { self.number(size / 10) } else { self };
        let digit = [b'0' + (size % 10) as u8];
        match core::str::from_utf8(&digit) {
            Ok(digit) => longer.push(digit),
            Err(_) => longer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn names_and_numbers() {
        const MESSAGE: Message = Message::new("sizes N and M differ").name("N", 1024).name("M", 0);
        assert_eq!(MESSAGE.text(), "sizes N and M differ, where N is 1024 and M is 0");
        assert_eq!(Message::new("as it is").text(), "as it is");
    }

    #[test]
    fn too_long() {
        let long = "…".repeat(600);
        assert_eq!(Message::new(&long).name("N", 7).text(), "sizes differ");
    }
}
