internal import COpenSSL

/// Makes bytes of a password that are slow to guess: scrypt with 32 MiB, about a tenth of a second.
///
/// - Source: RFC 7914; OpenSSL, EVP_PBE_scrypt(3).
public enum Scrypt {
  /// Bytes that come out.
  public static let bytes = 32
  /// Longest password that is taken, in bytes.
  public static let passwordBytesMax = 1024
  private static let cost: UInt64 = 1 << 15
  private static let blockSize: UInt64 = 8
  private static let lanes: UInt64 = 1
  private static let memoryMax: UInt64 = 64 << 20

  /// The bytes; nil for a password that is too long and when memory is short.
  public static func derive(password: String, salt: [UInt8]) -> [UInt8]? {
    let text = Array(password.utf8)
    guard text.count <= passwordBytesMax else { return nil }
    var derived = [UInt8](repeating: 0, count: bytes)
    let status = unsafe text.withUnsafeBufferPointer { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe EVP_PBE_scrypt(
          text.baseAddress, text.count, salt, salt.count, cost, blockSize, lanes, memoryMax, &derived, derived.count)
      }
    }
    guard status == 1 else {
      ERR_clear_error()
      return nil
    }
    return derived
  }
}

/// Secrets that nobody guesses.
public enum RandomBytes {
  /// So many bytes of the system's generator.
  public static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
public func isEqualInConstantTime(_ one: String, _ other: String) -> Bool {
  let (first, second) = (Array(one.utf8), Array(other.utf8))
  guard first.count == second.count else { return false }
  return zip(first, second).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
