public enum CellText {
  /// Longest text of a cell, in UTF-16 code units.
  public static let unitsMax = 32_767
  /// Suffix of a truncated text.
  public static let cutMark = " … (cut; the CSV has all of it)"

  /// Returns the text, truncated to the length of a cell.
  public static func fitted(_ text: String) -> String {
    // A text has at least as many UTF-8 as UTF-16 code units.
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

  /// Returns the text in the library's encoding. Accidental escapes and characters that XML forbids are escaped; the library itself
  /// escapes control characters.
  ///
  /// - Source: ECMA-376, part 1, 22.9.2.19 (ST_Xstring).
  static func encoded(_ text: String) -> String {
    let fitted = fitted(text)
    guard fitted.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == 0xEF || $0 == 0 }) else { return fitted }
    let escaped = escaped(fitted)
    return escaped.unicodeScalars.count > unitsMax ? Self.escaped(cut(fitted, to: unitsMax / escapeLength)) : escaped
  }

  /// Length of `_xHHHH_`, in characters.
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

  /// Whether a text begins with `_xHHHH_`.
  private static func isEscape(_ text: Substring.UnicodeScalarView) -> Bool {
    let head = text.prefix(escapeLength).map(\.value)
    guard head.count == escapeLength, head[1] == 0x78, head[6] == 0x5F else { return false }
    return head[2...5].allSatisfy { value in UnicodeScalar(value)?.properties.isASCIIHexDigit ?? false }
  }
}
