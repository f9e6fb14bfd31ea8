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
    PatternBytes(start: Array(start.utf8), rest: rest.map { ($0.place, Array($0.after.utf8)) })
  }
}

/// A pattern as bytes: a page knows hundreds of sentences again.
private struct PatternBytes: Sendable {
  let start: [UInt8]
  let rest: [(place: String, after: [UInt8])]

  /// What stands in the places of a text that was made by this pattern; nil for any other text.
  func values(in text: [UInt8]) -> [String: String]? {
    guard text.starts(with: start) else { return nil }
    var values: [String: String] = [:]
    var left = text.dropFirst(start.count)
    for (index, part) in rest.enumerated() {
      let end: Int
      if index < rest.count - 1 {
        guard let found = Self.place(of: part.after, in: left) else { return nil }
        end = found
      } else {
        guard left.count >= part.after.count, left.suffix(part.after.count).elementsEqual(part.after) else { return nil }
        end = left.endIndex - part.after.count
      }
      guard end > left.startIndex else { return nil }
      values[part.place] = String(decoding: left[..<end], as: UTF8.self)
      left = left[(end + part.after.count)...]
    }
    return left.isEmpty ? values : nil
  }

  private static func place(of piece: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard let first = piece.first else { return text.startIndex }
    var at = text.startIndex
    while at + piece.count <= text.endIndex {
      if text[at] == first, text[at..<at + piece.count].elementsEqual(piece) { return at }
      at += 1
    }
    return nil
  }
}

/// Sentences that are known again.
struct Patterns: Sendable {
  private typealias Open = (key: String, pattern: PatternBytes)

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
    let all: [Open] = known.map { ($0.key, $0.pattern.bytes) }
    anywhere = all.filter { $0.pattern.start.isEmpty }
    for first in Set(all.compactMap(\.pattern.start.first)) {
      open[first] = all.filter { $0.pattern.start.first.map { $0 == first } ?? true }
    }
  }

  func match(_ text: String) -> (key: String, values: [String: String])? {
    if let key = whole[text] { return (key, [:]) }
    let bytes = Array(text.utf8)
    for (key, pattern) in bytes.first.flatMap({ open[$0] }) ?? anywhere {
      if let values = pattern.values(in: bytes) { return (key, values) }
    }
    return nil
  }
}
