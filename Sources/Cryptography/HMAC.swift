internal import COpenSSL

/// Authentication codes of messages: only a holder of the key can make one.
public enum HMAC {
  /// Returns the code of a message by SHA-256.
  ///
  /// - Source: RFC 2104; OpenSSL, HMAC(3).
  public static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      var length: UInt32 = 0
      let made = unsafe COpenSSL.HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, &length)
      count = unsafe made == nil ? 0 : Int(length)
    }
  }
}
