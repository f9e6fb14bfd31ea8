/// A text with places to fill in.
public struct Pattern: Sendable {
  /// What stands before the first place.
  private let start: String
  /// Each place with what stands after it.
  private let rest: [(place: String, after: String)]

  public init(_ text: String) {
    var (start, rest) = ("", [(place: String, after: String)]())
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

  /// Places that the text names.
  public var places: [String] { rest.map(\.place) }

  /// Bytes that stand in it whatever is filled in.
  var fixedCount: Int { rest.reduce(start.utf8.count) { $0 + $1.after.utf8.count } }

  /// - Parameter value: what stands in a place; a place without value stays as it is.
  func filled(_ value: (String) -> String?) -> String {
    rest.reduce(start) { $0 + (value($1.place) ?? "{\($1.place)}") + $1.after }
  }

  /// The same byte by byte, for texts that are looked through again and again.
  fileprivate var bytes: PatternBytes {
    PatternBytes(start: Array(start.utf8), rest: rest.map { PatternBytes.Part(place: $0.place, after: Array($0.after.utf8)) })
  }
}

/// A pattern as bytes: a page knows thousands of sentences again, each among hundreds, so that nothing is made before it is one.
private struct PatternBytes: Sendable {
  struct Part: Sendable {
    let place: String
    let after: [UInt8]
  }

  let start: [UInt8]
  let rest: [Part]

  /// What stands in the places of a text that was made by this pattern; nil for any other text.
  func values(in text: [UInt8]) -> [String: String]? {
    guard let last = rest.last, Self.stands(start, at: 0, in: text) else { return nil }
    let end = text.count - last.after.count
    guard end > start.count, Self.stands(last.after, at: end, in: text) else { return nil }
    var begin = start.count
    var spans: [Range<Int>] = []
    for index in 0..<rest.count - 1 {
      guard let found = Self.place(of: rest[index].after, from: begin, in: text), found > begin else { return nil }
      spans.append(begin..<found)
      begin = found + rest[index].after.count
    }
    guard end > begin else { return nil }
    spans.append(begin..<end)
    return Dictionary(zip(rest.map(\.place), spans.map { String(decoding: text[$0], as: UTF8.self) })) { $1 }
  }

  private static func stands(_ piece: [UInt8], at place: Int, in text: [UInt8]) -> Bool {
    guard place >= 0, place + piece.count <= text.count else { return false }
    var index = 0
    while index < piece.count {
      if text[place + index] != piece[index] { return false }
      index += 1
    }
    return true
  }

  private static func place(of piece: [UInt8], from begin: Int, in text: [UInt8]) -> Int? {
    var place = begin
    while place + piece.count <= text.count {
      if stands(piece, at: place, in: text) { return place }
      place += 1
    }
    return nil
  }
}

/// Sentences that are known again.
struct Patterns: Sendable {
  private struct Open: Sendable {
    let key: String
    let pattern: PatternBytes
  }

  private var whole: [String: String] = [:]
  /// By the byte that they begin with, those that say most by themselves first; each with all that begin with a place.
  private var open: [UInt8: [Open]] = [:]
  /// Those that begin with a place.
  private var anywhere: [Open] = []

  init(_ texts: [String: String]) {
    var known: [(key: String, pattern: Pattern)] = []
    for (key, text) in texts {
      let pattern = Pattern(text)
      if pattern.places.isEmpty { whole[text] = key } else { known.append((key, pattern)) }
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
