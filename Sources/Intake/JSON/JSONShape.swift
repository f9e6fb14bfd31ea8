/// Tells a JSON document written over several lines from lines that are one document each.
struct JSONShape {
  /// Kinds of containers remembered; deeper ones are counted only.
  private static let depthMax = 512

  private var containers: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var lastByte: UInt8 = 0
  /// Whether the outermost value has ended.
  private(set) var isComplete = false

  /// Follows the bytes of one line.
  mutating func follow(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == ASCII.backslash {
          isEscaped = true
        } else if byte == ASCII.quote {
          isInString = false
          lastByte = byte
        }
        continue
      }
      if ASCII.isSpace(byte) { continue }
      lastByte = byte
      switch byte {
      case ASCII.quote: isInString = true
      case ASCII.openBrace, ASCII.openBracket:
        depth += 1
        if depth <= Self.depthMax { containers.append(byte) }
      case ASCII.closeBrace, ASCII.closeBracket:
        if depth <= Self.depthMax { _ = containers.popLast() }
        depth = max(0, depth - 1)
        if depth == 0 { isComplete = true }
      default: break
      }
    }
  }

  /// Whether the document goes on when the next line begins with `byte`.
  ///
  /// A first line that was cut off must not swallow the lines behind it, so the next byte has to fit.
  func continues(with byte: UInt8) -> Bool {
    guard !isComplete, !isInString, let container = containers.last else { return false }
    let isObject = container == ASCII.openBrace
    switch lastByte {
    case ASCII.openBrace: return byte == ASCII.quote || byte == ASCII.closeBrace
    case ASCII.openBracket: return true
    case ASCII.comma: return !isObject || byte == ASCII.quote
    case ASCII.colon: return true
    default:
      let closing = isObject ? ASCII.closeBrace : ASCII.closeBracket
      return byte == ASCII.comma || byte == closing || byte == ASCII.colon
    }
  }
}
