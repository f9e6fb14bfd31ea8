internal import JobCore

/// Names of the files in which the rows of a source are stored, such as `shop-after-20261120T080000Z.ndjson`.
enum PullFile {
  /// Maximum length of a source's name in a file name, in bytes. A file name has at most 255.
  private static let stemBytesMax = 180

  /// Returns a source's name as the beginning of a file name: bytes that a file name cannot have are written as `%2F`.
  static func stem(_ source: String) -> String {
    var stem = ""
    for scalar in source.unicodeScalars {
      let isOpen = scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" || scalar == "%"
      let text = isOpen ? "%\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16, uppercase: true))" : String(scalar)
      guard stem.utf8.count + text.utf8.count <= stemBytesMax else { return stem }
      stem += text
    }
    return stem
  }

  /// Returns the name of the source whose rows a file contains; nil for a file that no pull wrote.
  ///
  /// - Parameter known: sources of the settings, which can have longer names than a file.
  static func source(ofFile name: String, known: [PullSource]) -> String? {
    guard let match = name.wholeMatch(of: /(.+?)-(?:after-the-beginning|after-[^-]*|undated|all)\.ndjson/) else { return nil }
    let stem = String(match.output.1)
    if let source = known.first(where: { self.stem($0.name) == stem }) { return source.name }
    return stem.replacing(/%([0-9A-F]{2})/) { escape in
      UInt8(escape.output.1, radix: 16).map { String(UnicodeScalar($0)) } ?? String(escape.output.0)
    }
  }
}
