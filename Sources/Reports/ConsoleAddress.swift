internal import Domain

/// Where the pages of the review console are, for pages that lead there.
package struct ConsoleAddress: Sendable {
  /// Without a slash at its end.
  let base: String

  /// The rows behind a figure; all figures of the table for an empty address.
  func rows(_ table: String, _ cell: String, asOf: Timestamp) -> String {
    let wanted = cell.isEmpty ? "" : "cell=\(Self.encoded(cell))&"
    return "\(base)/rows/\(table)?\(wanted)as_of=\(Self.encoded(asOf.rfc3339))"
  }

  /// What is known of an id; nil for none.
  func search(_ id: String?) -> String? { id.flatMap { $0.isEmpty ? nil : "\(base)/search?q=\(Self.encoded($0))" } }

  /// A break with its rows and the signed evidence behind them.
  func breakPage(_ id: String) -> String? { id.isEmpty ? nil : "\(base)/breaks/\(Self.encoded(id))" }

  /// A value as it stands in an address.
  package static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      if isPlain || "-._~".utf8.contains(byte) { return String(decoding: [byte], as: UTF8.self) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
