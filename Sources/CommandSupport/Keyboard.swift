internal import Glibc

/// Keyboard input: single keys on a terminal, lines otherwise.
package enum Keyboard {
  package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Reads a line without its end; nil at the end of input.
  package static func line() -> String? { readLine(strippingNewline: true) }

  /// Reads a line without echoing it; nil at the end of input.
  package static func secretLine(prompt: String) -> String? {
    var before = termios()
    guard isTerminal, unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return line() }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    Output.writeError(prompt)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &silent)
    defer { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    return line()
  }

  /// Reads one key without Return on a terminal. Elsewhere, reads the first character of a line, or a space for an empty line.
  package static func key() -> Character? {
    var before = termios()
    guard isTerminal, unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return line().map { $0.first ?? " " } }
    var single = before
    single.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &single)
    defer { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    var byte: UInt8 = 0
    guard unsafe read(STDIN_FILENO, &byte, 1) == 1, byte != 4 else { return nil }
    return Character(Unicode.Scalar(byte))
  }
}
