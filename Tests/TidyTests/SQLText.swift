/// A token of a SQL text for the analysis of joins. Comments are removed, and the content of parentheses is one token.
indirect enum SQLToken {
  /// A keyword or a name with its dots, in lower case.
  case word(String)
  case value
  case symbol(Character)
  case group([SQLToken])

  var word: String? {
    if case .word(let word) = self { return word }
    return nil
  }

  var group: [SQLToken]? {
    if case .group(let tokens) = self { return tokens }
    return nil
  }

  func isSymbol(_ character: Character) -> Bool {
    if case .symbol(let symbol) = self { return symbol == character }
    return false
  }

  /// Returns the statements of a text. The body of a function or of `do` counts as separate statements.
  static func statements(of text: String) -> [[SQLToken]] {
    var lexer = SQLLexer(bytes: Array(text.utf8))
    return lexer.tokens().split { $0.isSymbol(";") }.map(Array.init)
  }
}

private struct SQLLexer {
  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ offset: Int = 0) -> UInt8 { at + offset < bytes.count ? bytes[at + offset] : 0 }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Returns the tokens up to the closing parenthesis, or to the end.
  mutating func tokens() -> [SQLToken] {
    var tokens: [SQLToken] = []
    while at < bytes.count {
      switch byte() {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"): at += 1
      case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"): skip { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "'"): tokens.append(literal())
      // A dollar quote with or without a tag; `$1` is a parameter.
      case UInt8(ascii: "$") where byte(1) == UInt8(ascii: "$") || (Self.isName(byte(1)) && !Self.isDigit(byte(1))):
        at += 1
        skip { $0 != UInt8(ascii: "$") }
        at += 1
        tokens.append(.symbol(";"))
      case UInt8(ascii: "("):
        at += 1
        tokens.append(.group(self.tokens()))
      case UInt8(ascii: ")"):
        at += 1
        return tokens
      case let first where Self.isName(first) || first == UInt8(ascii: "\""): tokens.append(.word(name()))
      case let other:
        tokens.append(.symbol(Character(UnicodeScalar(other))))
        at += 1
      }
    }
    return tokens
  }

  private mutating func skip(while isMeant: (UInt8) -> Bool) { while at < bytes.count, isMeant(bytes[at]) { at += 1 } }

  private mutating func literal() -> SQLToken {
    repeat {
      at += 1
      skip { $0 != UInt8(ascii: "'") }
      at += 1
    } while byte() == UInt8(ascii: "'")
    return .value
  }

  private mutating func name() -> String {
    var name: [UInt8] = []
    while at < bytes.count {
      let isDot = byte() == UInt8(ascii: ".") && (Self.isName(byte(1)) || byte(1) == UInt8(ascii: "*"))
      let isStar = byte() == UInt8(ascii: "*") && name.last == UInt8(ascii: ".")
      guard isDot || isStar || Self.isName(byte()) || byte() == UInt8(ascii: "\"") else { break }
      if byte() != UInt8(ascii: "\"") { name.append(byte()) }
      at += 1
    }
    return String(decoding: name, as: UTF8.self).lowercased()
  }
}
