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

  /// What stands in the places of a text that was made by this pattern; nil for any other text.
  func values(in text: String) -> [String: String]? {
    guard text.hasPrefix(start) else { return nil }
    var values: [String: String] = [:]
    var left = text.dropFirst(start.count)
    for (index, part) in rest.enumerated() {
      let isLast = index == rest.count - 1
      if isLast {
        guard left.hasSuffix(part.after) else { return nil }
        values[part.place] = String(left.dropLast(part.after.count))
        left = ""
      } else {
        guard let next = left.firstRange(of: part.after) else { return nil }
        values[part.place] = String(left[..<next.lowerBound])
        left = left[next.upperBound...]
      }
    }
    return left.isEmpty && values.values.allSatisfy { !$0.isEmpty } ? values : nil
  }
}

/// Sentences that are known again.
struct Patterns: Sendable {
  private var whole: [String: String] = [:]
  /// Those that say most by themselves first.
  private var open: [(key: String, pattern: Pattern)] = []

  init(_ texts: [String: String]) {
    for (key, text) in texts {
      let pattern = Pattern(text)
      if pattern.places.isEmpty { whole[text] = key } else { open.append((key, pattern)) }
    }
    open.sort { (-$0.pattern.fixedCount, $0.key) < (-$1.pattern.fixedCount, $1.key) }
  }

  func match(_ text: String) -> (key: String, values: [String: String])? {
    if let key = whole[text] { return (key, [:]) }
    for (key, pattern) in open {
      if let values = pattern.values(in: text) { return (key, values) }
    }
    return nil
  }
}
