/// The literals of an expression, divided at interpolations. Hints and names of fields are omitted.
struct SwiftLiterals {
  private let code: [Character]
  private var place = 0
  private(set) var pieces: [String] = []

  init(_ code: Substring) { self.code = Array(code) }

  /// Reads up to the bracket that closes the beginning's surroundings, or the single literal at the start.
  mutating func read() {
    guard code.first != "\"" else { return literal() }
    expression()
  }

  private mutating func expression() {
    var (depth, label, word) = (1, "", "")
    while depth > 0, place < code.count {
      let character = code[place]
      switch character {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      case ",": if depth == 1 { label = "" }
      case ":": if depth == 1, !word.isEmpty { label = word }
      case "\"":
        let kept = pieces.count
        literal()
        if ["hint", "field"].contains(label) { pieces.removeLast(pieces.count - kept) }
        word = ""
        continue
      default: break
      }
      word = character.isLetter ? word + String(character) : ""
      place += 1
    }
  }

  private mutating func literal() {
    place += 1
    var piece = ""
    while place < code.count, code[place] != "\"" {
      if code[place] == "\\", code[place + 1] == "(" {
        pieces.append(piece)
        piece = ""
        place += 2
        expression()
        continue
      }
      if code[place] == "\\" { place += 1 }
      piece.append(code[place])
      place += 1
    }
    pieces.append(piece)
    place += 1
  }
}
