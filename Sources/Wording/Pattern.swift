/// A text with placeholders.
public struct Pattern: Sendable {
  /// Text before the first placeholder.
  private let start: String
  /// Each placeholder with the text after it.
  private let rest: [(name: String, after: String)]

  public init(_ text: String) {
    var (start, rest) = ("", [(name: String, after: String)]())
    var left = text[...]
    while let begin = left.firstIndex(of: "{"), let end = left[begin...].firstIndex(of: "}") {
      let before = String(left[..<begin])
      if rest.isEmpty { start = before } else { rest[rest.count - 1].after = before }
      rest.append((String(left[left.index(after: begin)..<end]), ""))
      left = left[left.index(after: end)...]
    }
    if rest.isEmpty { start = String(left) } else { rest[rest.count - 1].after = String(left) }
    (self.start, self.rest) = (start, rest)
  }

  /// Names of the placeholders.
  public var placeholders: [String] { rest.map(\.name) }

  /// Returns the text with its placeholders filled.
  ///
  /// - Parameter value: returns the value of a placeholder; nil keeps the placeholder.
  func filled(_ value: (String) -> String?) -> String {
    rest.reduce(start) { $0 + (value($1.name) ?? "{\($1.name)}") + $1.after }
  }
}
