/// Writes bytes in the gzip format without compression.
///
/// - Source: RFC 1952; RFC 1951, 3.2.4 (stored blocks).
enum Gzip {
  private static let blockMax = 65_535

  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(blockMax)
      rest = rest.dropFirst(block.count)
      output.append(rest.isEmpty ? 1 : 0)
      let size = UInt16(block.count)
      for value in [size, ~size] { output += [UInt8(value & 255), UInt8(value >> 8)] }
      output += block
    } while !rest.isEmpty
    for value in [checksum(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
      output += (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 255) }
    }
    return output
  }

  /// Returns the CRC-32 of the bytes.
  ///
  /// - Source: RFC 1952, 8.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~sum
  }
}
