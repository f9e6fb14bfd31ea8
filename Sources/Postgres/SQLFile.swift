/// One SQL statement from a file, with its psql parameters `:'name'` replaced by `$n`.
public struct SQLFile: Sendable {
  /// Path under the SQL folder, for messages.
  public let path: String
  /// Text for libpq.
  public let text: String
  /// Names in the order of their numbers.
  public let parameterNames: [String]

  /// The text without its closing semicolon, as a part of another statement.
  var query: String { String(text.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed()) }

  /// Returns the same query with another order of rows.
  ///
  /// - Parameter keys: the text after `order by`; it refers to result columns by name or number.
  public func ordered(by keys: String) -> SQLFile {
    SQLFile(path: path, text: "select * from (\n\(query)\n) as listed order by \(keys)", parameterNames: parameterNames)
  }

  /// Returns the last rows of the same query, in its order.
  ///
  /// - Parameter keys: result columns by which the query sorts its rows, ascending; together they are unique.
  public func last(_ count: Int, by keys: [String]) -> SQLFile {
    let newest = "select * from (\n\(query)\n) as listed order by \(keys.map { "\($0) desc" }.joined(separator: ", ")) limit \(count)"
    let text = "select * from (\n\(newest)\n) as newest order by \(keys.joined(separator: ", "))"
    return SQLFile(path: path, text: text, parameterNames: parameterNames)
  }

  public func picking(from values: [String: Value]) -> [String: Value] { values.filter { parameterNames.contains($0.key) } }

  /// Returns the bytes of each statement of a text, from its first word to the character before its semicolon.
  static func statementRanges(of source: String) -> [Range<Int>] {
    var lexer = ParameterLexer(source)
    _ = lexer.run()
    return lexer.statements
  }

  /// Returns the values in the order of their numbers.
  func bind(_ parameters: [String: Value]) throws(PostgresError) -> [Value] {
    for name in parameters.keys where !parameterNames.contains(name) {
      throw .sqlFile("cannot run \"\(path)\": it has no parameter \"\(name)\"")
    }
    var values: [Value] = []
    for name in parameterNames {
      guard let value = parameters[name] else { throw .sqlFile("cannot run \"\(path)\": parameter \"\(name)\" has no value") }
      values.append(value)
    }
    return values
  }
}

extension SQLFile {
  init(path: String, source: String) {
    var lexer = ParameterLexer(source)
    let (text, parameterNames) = lexer.run()
    self.init(path: path, text: text, parameterNames: parameterNames)
  }
}

/// A lexer that finds psql parameters outside literals, identifiers and comments.
///
/// - Source: PostgreSQL documentation, "Lexical Structure"; psql, "SQL Interpolation".
private struct ParameterLexer {
  private let source: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  private var names: [String] = []
  /// Ranges of the statements in the source, each from its first word.
  private(set) var statements: [Range<Int>] = []
  private var firstWord: Int?

  init(_ text: String) { source = Array(text.utf8) }

  private func byte(_ ahead: Int = 0) -> UInt8? { position + ahead < source.count ? source[position + ahead] : nil }

  mutating func run() -> (String, [String]) {
    while let current = byte() {
      switch current {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): copyQuoted(current)
      case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): copyLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): copyComment()
      case UInt8(ascii: "$"): copyDollar()
      case UInt8(ascii: ":") where byte(1) == UInt8(ascii: "'"): parameter()
      case UInt8(ascii: ":") where byte(1) == UInt8(ascii: ":"): copy(2)
      case UInt8(ascii: ";"):
        endStatement()
        copy(1)
      default:
        if firstWord == nil, current > UInt8(ascii: " ") { firstWord = position }
        copy(1)
      }
    }
    endStatement()
    return (String(decoding: output, as: UTF8.self), names)
  }

  private mutating func endStatement() {
    if let start = firstWord { statements.append(start..<position) }
    firstWord = nil
  }

  private mutating func copy(_ count: Int) {
    let end = min(position + count, source.count)
    output += source[position..<end]
    position = end
  }

  private mutating func copyQuoted(_ quote: UInt8) {
    // In E'…' a backslash escapes the next character.
    let hasEscapes =
      quote == UInt8(ascii: "'") && position > 0
      && (source[position - 1] | 0x20) == UInt8(ascii: "e")
      && !(position > 1 && isPartOfWord(source[position - 2]))
    copy(1)
    while let current = byte() {
      copy(hasEscapes && current == UInt8(ascii: "\\") ? 2 : 1)
      if current == quote { return }
    }
  }

  private mutating func copyLine() {
    while let current = byte(), current != 0x0A { copy(1) }
  }

  private mutating func copyComment() {
    var depth = 0
    while byte() != nil {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        copy(2)
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        copy(2)
        if depth == 0 { return }
      } else {
        copy(1)
      }
    }
  }

  private mutating func copyDollar() {
    var length = 1
    while let next = byte(length), next != UInt8(ascii: "$"), isPartOfWord(next) { length += 1 }
    // A name may contain a dollar sign, and `$1` starts no quote.
    let isInWord = position > 0 && isPartOfWord(source[position - 1])
    let beginsWithDigit = byte(1).map { (0x30...0x39).contains($0) } ?? false
    guard byte(length) == UInt8(ascii: "$"), !isInWord, !beginsWithDigit else { return copy(1) }
    let tag = Array(source[position...(position + length)])
    copy(tag.count)
    while byte() != nil {
      if source[position...].starts(with: tag) { return copy(tag.count) }
      copy(1)
    }
  }

  private mutating func parameter() {
    var end = position + 2
    while end < source.count, source[end] != UInt8(ascii: "'") { end += 1 }
    let name = String(decoding: source[(position + 2)..<min(end, source.count)], as: UTF8.self)
    let index: Int
    if let known = names.firstIndex(of: name) {
      index = known + 1
    } else {
      names.append(name)
      index = names.count
    }
    output += Array("$\(index)".utf8)
    position = min(end + 1, source.count)
  }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }
}
