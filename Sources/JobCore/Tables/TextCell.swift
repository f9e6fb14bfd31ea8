internal import Domain

/// A writer of CSV rows for every command, export and report.
public enum CSVLine {
  /// Returns one row with its line end; nil is an empty cell.
  public static func bytes(_ cells: [String?]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let cell { TextCell.appendCSV(cell.utf8.span, to: &bytes) }
    }
    bytes.append(0x0A)
    return bytes
  }
}

enum TextCell {
  private static let hexadecimal = Array("0123456789abcdef".utf8)

  /// Appends a CSV cell, in quotes if it needs them. An apostrophe prevents a spreadsheet from evaluating it.
  ///
  /// - Source: RFC 4180, section 2.
  static func appendCSV(_ cell: Span<UInt8>, to bytes: inout [UInt8]) {
    let needsQuotes = cell.indices.contains { isQuotedByte(cell[$0]) }
    if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    if SpreadsheetGuard.isNeeded(by: cell) { bytes.append(UInt8(ascii: "'")) }
    for index in cell.indices {
      if cell[index] == UInt8(ascii: "\"") { bytes.append(UInt8(ascii: "\"")) }
      bytes.append(cell[index])
    }
    if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
  }

  private static func isQuotedByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D: true
    default: false
    }
  }

  /// Appends a JSON string with its quotes.
  ///
  /// - Source: RFC 8259, section 7.
  static func appendJSON(_ cell: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in cell {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20: bytes += Array("\\u00".utf8) + [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
