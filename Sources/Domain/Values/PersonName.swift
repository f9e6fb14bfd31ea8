/// Comparison of the names of persons and accounts, as the database compares them (payrecon.person_key).
public enum PersonName {
  /// Returns the form of a name that is compared: without case, blanks and control characters.
  ///
  /// Equal keys belong to one person. The database also folds compatibility forms such as `Ａ`, which `fault` reports.
  public static func key(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.uppercased().lowercased().unicodeScalars.filter { scalar in
          !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }))
  }

  /// Returns why two people could be mistaken for each other under a name; nil for other names.
  ///
  /// - Source: Unicode Technical Standard 39, section 5.
  public static func fault(_ name: String) -> String? {
    let scalars = key(name).unicodeScalars
    if scalars.contains(where: { $0.properties.generalCategory == .format || $0.properties.isDefaultIgnorableCodePoint }) {
      return "contains a character that is not shown"
    }
    if scalars.contains(where: { $0.properties.changesWhenNFKCCaseFolded && $0.properties.canonicalCombiningClass == .notReordered }) {
      return "contains a variant form of a letter"
    }
    let alphabets = alphabets.count { ranges in scalars.contains { scalar in ranges.contains { $0.contains(scalar.value) } } }
    return alphabets > 1 ? "mixes letters of several alphabets" : nil
  }

  /// Alphabets whose letters look alike: Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee.
  private static let alphabets: [[ClosedRange<UInt32>]] = [
    [
      0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x1D00...0x1D25, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
      0xA722...0xA7FF, 0xAB30...0xAB64,
    ],
    [0x370...0x3FF, 0x1F00...0x1FFF], [0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F], [0x531...0x58F],
    [0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F], [0x13A0...0x13FF, 0xAB70...0xABBF],
  ]
}
