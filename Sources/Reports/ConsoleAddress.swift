internal import Domain

/// URLs of pages of the review console, for links.
package struct ConsoleAddress: Sendable {
  /// Without a trailing slash.
  let base: String

  /// Returns the page of the rows behind a figure; of all figures of the table if `cell` is empty.
  func rows(_ table: String, _ cell: String, asOf: Timestamp) -> String {
    let wanted = cell.isEmpty ? "" : "cell=\(Self.encoded(cell))&"
    return "\(base)/rows/\(table)?\(wanted)as_of=\(Self.encoded(asOf.rfc3339))"
  }

  /// Returns the cases of a break class.
  func queue(_ name: String) -> String { "\(base)/queue?name=\(Self.encoded(name))" }

  var dashboard: String { "\(base)/dashboard" }

  /// Returns the search page of an id; nil for no id.
  func search(_ id: String?) -> String? { id.flatMap { $0.isEmpty ? nil : "\(base)/search?q=\(Self.encoded($0))" } }

  /// Returns the page of a break with its rows and signed evidence; nil for no id.
  func breakPage(_ id: String) -> String? { id.isEmpty ? nil : "\(base)/breaks/\(Self.encoded(id))" }

  /// Percent-encodes a value for a URL.
  package static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
      switch byte {
      // Letters, digits and -._~ are not encoded.
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
