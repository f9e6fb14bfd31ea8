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

  /// Number of bytes outside the placeholders.
  var fixedCount: Int { rest.reduce(start.utf8.count) { $0 + $1.after.utf8.count } }

  /// Returns the text with its placeholders filled.
  ///
  /// - Parameter value: returns the value of a placeholder; nil keeps the placeholder.
  func filled(_ value: (String) -> String?) -> String {
    rest.reduce(start) { $0 + (value($1.name) ?? "{\($1.name)}") + $1.after }
  }

  /// The pattern as bytes, for repeated searches.
  fileprivate var bytes: PatternBytes {
    PatternBytes(start: Array(start.utf8), rest: rest.map { PatternBytes.Part(name: $0.name, after: Array($0.after.utf8)) })
  }
}

/// A pattern as bytes. A page matches thousands of sentences against hundreds of patterns, so that matching allocates nothing
/// until it succeeds.
private struct PatternBytes: Sendable {
  struct Part: Sendable {
    let name: String
    let after: [UInt8]
  }

  let start: [UInt8]
  let rest: [Part]

  /// Returns the placeholder values of a text that matches this pattern; nil for any other text.
  func values(in text: [UInt8]) -> [String: String]? {
    guard let last = rest.last, Self.matches(start, at: 0, in: text) else { return nil }
    let end = text.count - last.after.count
    guard end > start.count, Self.matches(last.after, at: end, in: text) else { return nil }
    var begin = start.count
    var spans: [Range<Int>] = []
    for index in 0..<rest.count - 1 {
      guard let found = Self.position(of: rest[index].after, from: begin, in: text), found > begin else { return nil }
      spans.append(begin..<found)
      begin = found + rest[index].after.count
    }
    guard end > begin else { return nil }
    spans.append(begin..<end)
    return Dictionary(zip(rest.map(\.name), spans.map { String(decoding: text[$0], as: UTF8.self) })) { $1 }
  }

  private static func matches(_ piece: [UInt8], at position: Int, in text: [UInt8]) -> Bool {
    guard position >= 0, position + piece.count <= text.count else { return false }
    var index = 0
    while index < piece.count {
      if text[position + index] != piece[index] { return false }
      index += 1
    }
    return true
  }

  private static func position(of piece: [UInt8], from begin: Int, in text: [UInt8]) -> Int? {
    var position = begin
    while position + piece.count <= text.count {
      if matches(piece, at: position, in: text) { return position }
      position += 1
    }
    return nil
  }
}

/// A searchable set of sentence patterns.
struct Patterns: Sendable {
  private struct Open: Sendable {
    let key: String
    let pattern: PatternBytes
  }

  private var whole: [String: String] = [:]
  /// Patterns by their first byte, those with the most fixed bytes first. Each list includes the patterns that begin with a placeholder.
  private var open: [UInt8: [Open]] = [:]
  /// Patterns that begin with a placeholder.
  private var anywhere: [Open] = []

  init(_ texts: [String: String]) {
    var known: [(key: String, pattern: Pattern)] = []
    for (key, text) in texts {
      let pattern = Pattern(text)
      if pattern.placeholders.isEmpty { whole[text] = key } else { known.append((key, pattern)) }
    }
    known.sort { (-$0.pattern.fixedCount, $0.key) < (-$1.pattern.fixedCount, $1.key) }
    let all = known.map { Open(key: $0.key, pattern: $0.pattern.bytes) }
    anywhere = all.filter { $0.pattern.start.isEmpty }
    for first in Set(all.compactMap(\.pattern.start.first)) {
      open[first] = all.filter { $0.pattern.start.first.map { $0 == first } ?? true }
    }
  }

  func match(_ text: String) -> (key: String, values: [String: String])? {
    if let key = whole[text] { return (key, [:]) }
    let bytes = Array(text.utf8)
    for candidate in bytes.first.flatMap({ open[$0] }) ?? anywhere {
      if let values = candidate.pattern.values(in: bytes) { return (candidate.key, values) }
    }
    return nil
  }
}
