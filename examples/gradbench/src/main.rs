//! Answers the messages of an eval, which come on the standard input, one JSON object a line.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let response = gradbench::protocol::respond(&line?).map_err(io::Error::other)?;
        writeln!(output, "{response}")?;
        output.flush()?;
    }
    Ok(())
}
