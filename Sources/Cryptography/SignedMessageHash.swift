internal import COpenSSL

/// SHA-1, used only to check the device binding of Apple's app receipts.
public enum SHA1 {
  /// Length of a digest in bytes.
  public static let byteCount = 20

  /// Returns the digest of the bytes; nil when OpenSSL lacks SHA-1.
  public static func digest(_ bytes: [UInt8]) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: byteCount)
    var length: UInt32 = 0
    let isDone = unsafe bytes.withUnsafeBytes { input in
      unsafe digest.withUnsafeMutableBufferPointer { output in
        unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, &length, EVP_sha1(), nil)
      }
    }
    guard isDone == 1, length == UInt32(byteCount) else {
      ERR_clear_error()
      return nil
    }
    return digest
  }
}
