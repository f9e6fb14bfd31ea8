/// Conversion to and from lower-case hexadecimal.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  public static func text(_ bytes: [UInt8]) -> String {
    unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        unsafe buffer[index * 2] = digits[Int(byte >> 4)]
        unsafe buffer[index * 2 + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }

  /// Returns the bytes of a text created by `text`.
  public static func bytes(_ text: String) -> [UInt8] {
    let utf8 = text.utf8
    return unsafe [UInt8](unsafeUninitializedCapacity: (utf8.count + 1) / 2) { buffer, count in
      for (index, letter) in utf8.enumerated() {
        let value = letter >= UInt8(ascii: "a") ? letter - UInt8(ascii: "a") + 10 : letter - UInt8(ascii: "0")
        if index & 1 == 0 { unsafe buffer[index / 2] = value << 4 } else { unsafe buffer[index / 2] |= value }
      }
      count = (utf8.count + 1) / 2
    }
  }
}
