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
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
      switch byte {
      // Letters, digits and -._~ stand for themselves.
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
