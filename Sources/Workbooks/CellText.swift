/// Text as a cell can hold it.
public enum CellText {
  /// Units of UTF-16 that a cell can hold.
  public static let unitsMax = 32_767
  /// What the end of text says that was cut.
  public static let cutMark = " … (cut; the CSV has all of it)"

  /// The text, cut where it is longer than a cell can be.
  public static func fitted(_ text: String) -> String {
    // UTF-8 is never shorter than UTF-16 has units.
    text.utf8.count > unitsMax && text.utf16.count > unitsMax ? cut(text, to: unitsMax) : text
  }

  private static func cut(_ text: String, to units: Int) -> String {
    var rest = units - cutMark.utf16.count
    let kept = text.unicodeScalars.prefix { scalar in
      rest -= UTF16.width(scalar)
      return rest >= 0
    }
    return String(String.UnicodeScalarView(kept)) + cutMark
  }

  /// The text as the library takes it: what a reader would take for an escape is escaped itself, and so are characters
  /// that XML cannot hold; the library sees to control characters.
  ///
  /// - Source: ECMA-376, part 1, 22.9.2.19 (ST_Xstring).
  static func encoded(_ text: String) -> String {
    let fitted = fitted(text)
    guard fitted.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == 0xEF || $0 == 0 }) else { return fitted }
    let escaped = escaped(fitted)
    return escaped.unicodeScalars.count > unitsMax ? Self.escaped(cut(fitted, to: unitsMax / escapeLength)) : escaped
  }

  /// Characters of `_xHHHH_`.
  private static let escapeLength = 7

  private static func escaped(_ text: String) -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      switch scalar.value {
      case 0: result += "_x0000_"
      case 0xFFFE, 0xFFFF: result += "_x\(String(scalar.value, radix: 16, uppercase: true))_"
      case 0x5F where isEscape(rest): result += "_x005F_"
      default: result.unicodeScalars.append(scalar)
      }
      rest = rest.dropFirst()
    }
    return result
  }

  /// Whether text begins with `_xHHHH_`.
  private static func isEscape(_ text: Substring.UnicodeScalarView) -> Bool {
    let head = text.prefix(escapeLength).map(\.value)
    guard head.count == escapeLength, head[1] == 0x78, head[6] == 0x5F else { return false }
    return head[2...5].allSatisfy { value in UnicodeScalar(value)?.properties.isASCIIHexDigit ?? false }
  }
}
