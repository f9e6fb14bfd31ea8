internal import COpenSSL

/// Authenticates a message: its creator knew the key.
public enum MessageCode {
  /// Returns the HMAC with SHA-256.
  ///
  /// - Source: RFC 2104; OpenSSL, HMAC(3).
  public static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      var length: UInt32 = 0
      let made = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, &length)
      count = unsafe made == nil ? 0 : Int(length)
    }
  }
}
