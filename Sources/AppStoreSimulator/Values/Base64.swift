internal import FoundationEssentials

/// Base64 in both alphabets.
enum Base64 {
  /// Reads standard base64 with padding. Returns nil for anything else.
  static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }

  /// Reads base64url without padding. Returns nil for anything else.
  static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
    var standard = text.utf8.map { $0 == 0x2D ? 0x2B : $0 == 0x5F ? 0x2F : $0 }
    while standard.count % 4 != 0 { standard.append(0x3D) }
    return decode(String(decoding: standard, as: UTF8.self))
  }

  static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
