/// The encoding of a value within a URL.
public enum PercentEncoding {
  /// Returns a text of which only letters, digits and -._~ are not encoded.
  ///
  /// - Source: RFC 3986, section 2.3 ("unreserved").
  public static func of(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
