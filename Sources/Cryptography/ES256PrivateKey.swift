internal import COpenSSL

/// The reason why a text is no signing key.
public enum ES256PrivateKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is longer than any key.
  case tooLarge(limit: Int)
  /// No PEM private key, or one that requires a passphrase.
  case notAPrivateKey
  /// A key of another type or on another curve.
  case notP256

  public var description: String {
    switch self {
    case .tooLarge(let limit): "cannot read the private key: its text is larger than \(limit) bytes"
    case .notAPrivateKey:
      "cannot read the private key: its text is no PEM private key without passphrase; use Apple's .p8 file"
    case .notP256: "cannot use the private key: it is not on the curve P-256; use an In-App Purchase key"
    }
  }
}

/// A P-256 private key for raw ECDSA signatures over SHA-256; the key cannot be printed.
///
/// Safe to share: the key is read-only, and every signature has a separate context.
@safe public final class ES256PrivateKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
  /// Maximum length of the PEM text in bytes; a P-256 key has about 250.
  public static let pemBytesMax = 16 << 10
  private static let halfBytes: Int32 = 32
  /// Maximum length of an ASN.1 signature on P-256, in bytes.
  private static let encodedBytesMax = 72

  private let key: OpaquePointer

  /// Reads a PEM private key (PKCS#8, the format of Apple's `.p8` files).
  ///
  /// - Source: OpenSSL, PEM_read_bio_PrivateKey(3), EVP_PKEY_get_group_name(3), EVP_PKEY_check(3).
  public init(pem: [UInt8]) throws(ES256PrivateKeyError) {
    guard pem.count <= Self.pemBytesMax else { throw .tooLarge(limit: Self.pemBytesMax) }
    let read = unsafe pem.withUnsafeBytes { buffer -> OpaquePointer? in
      guard let input = unsafe payrecon_bio_of(buffer.baseAddress, Int32(buffer.count)) else { return nil }
      defer { unsafe BIO_free(input) }
      // Without this callback OpenSSL would prompt for a passphrase on the terminal.
      return unsafe PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let parsed = unsafe read else {
      ERR_clear_error()
      throw .notAPrivateKey
    }
    guard unsafe Self.isSound(parsed) else {
      ERR_clear_error()
      unsafe EVP_PKEY_free(parsed)
      throw .notP256
    }
    unsafe key = parsed
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// Returns whether the key is on P-256 and its two halves match.
  private static func isSound(_ key: OpaquePointer) -> Bool {
    guard unsafe ES256PublicKey.isOnP256(key), let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe EVP_PKEY_check(context) == 1
  }

  /// The public half of the key; nil only when OpenSSL runs out of memory.
  public var publicKey: ES256PublicKey? {
    guard unsafe EVP_PKEY_up_ref(key) == 1 else { return nil }
    return unsafe ES256PublicKey(owning: key)
  }

  /// Signs the SHA-256 digest of bytes: r then s, 32 bytes each; nil only when OpenSSL runs out of memory.
  ///
  /// - Source: OpenSSL, EVP_PKEY_sign(3); RFC 7518, 3.4.
  public func sign(_ bytes: [UInt8]) -> [UInt8]? {
    let digest = SHA256.digest(bytes)
    guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var encoded = [UInt8](repeating: 0, count: Self.encodedBytesMax)
    var length = encoded.count
    guard unsafe EVP_PKEY_sign_init(context) == 1,
      unsafe EVP_PKEY_sign(context, &encoded, &length, digest, digest.count) == 1
    else {
      ERR_clear_error()
      return nil
    }
    return Self.raw(Array(encoded.prefix(length)))
  }

  /// Returns the two numbers of an ASN.1 signature, each padded to 32 bytes.
  ///
  /// - Source: RFC 3279, 2.2.3; OpenSSL, d2i_ECDSA_SIG(3), BN_bn2binpad(3).
  private static func raw(_ encoded: [UInt8]) -> [UInt8]? {
    let parsed = unsafe encoded.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var start = buffer.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, buffer.count)
    }
    guard let signature = unsafe parsed else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    var r = [UInt8](repeating: 0, count: Int(halfBytes))
    var s = r
    guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, halfBytes) == halfBytes,
      unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, halfBytes) == halfBytes
    else { return nil }
    return r + s
  }

  public var description: String { "P-256 private key" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
