/// Base64url without padding.
///
/// - Source: RFC 4648, section 5; RFC 7515, section 2.
enum Base64URL {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 4 / 3 + 2)
    var group: UInt32 = 0
    var bits = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        output.append(letters[Int(group >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { output.append(letters[Int(group << UInt32(6 - bits) & 63)]) }
    return String(decoding: output, as: UTF8.self)
  }
}
