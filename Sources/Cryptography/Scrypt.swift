internal import COpenSSL

/// Derives bytes that are slow to guess from a password: scrypt with 32 MiB, about a tenth of a second.
///
/// - Source: RFC 7914; OpenSSL, EVP_PBE_scrypt(3).
public enum Scrypt {
  /// Number of derived bytes.
  public static let bytes = 32
  /// Maximum length of a password in bytes.
  public static let passwordBytesMax = 1024
  private static let cost: UInt64 = 1 << 15
  private static let blockSize: UInt64 = 8
  private static let lanes: UInt64 = 1
  private static let memoryMax: UInt64 = 64 << 20

  /// Returns the derived bytes; nil for a password that is too long or when memory runs out.
  public static func derive(password: String, salt: [UInt8]) -> [UInt8]? {
    let text = Array(password.utf8)
    guard text.count <= passwordBytesMax else { return nil }
    var derived = [UInt8](repeating: 0, count: bytes)
    let status = unsafe text.withUnsafeBufferPointer { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe EVP_PBE_scrypt(text.baseAddress, text.count, salt, salt.count, cost, blockSize, lanes, memoryMax, &derived, derived.count)
      }
    }
    guard status == 1 else {
      ERR_clear_error()
      return nil
    }
    return derived
  }
}
