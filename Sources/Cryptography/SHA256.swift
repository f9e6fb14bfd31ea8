internal import COpenSSL

/// SHA-256 of bytes, at once or incrementally.
@safe public struct SHA256: ~Copyable {
  /// Length of a digest in bytes.
  public static let byteCount = 32

  /// The algorithm, fetched once: OpenSSL 3 otherwise searches its providers at every call.
  nonisolated(unsafe) private static let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)
  private let context: OpaquePointer?

  public init() {
    unsafe context = EVP_MD_CTX_new()
    _ = unsafe EVP_DigestInit_ex(context, Self.algorithm, nil)
  }

  private init(copying other: OpaquePointer?) {
    unsafe context = EVP_MD_CTX_new()
    _ = unsafe EVP_MD_CTX_copy_ex(context, other)
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Returns an independent hash with the same state.
  public func copy() -> SHA256 { unsafe SHA256(copying: context) }

  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    _ = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// Returns the digest of the bytes so far and consumes the hash.
  public consuming func digest() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      var length: UInt32 = 0
      _ = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
      count = Int(length)
    }
  }

  /// Returns the digest in lower-case hexadecimal.
  public consuming func hex() -> String { Hexadecimal.text(digest()) }

  public static func digest(_ bytes: [UInt8]) -> [UInt8] { digest(bytes[...]) }

  public static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  public static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(digest(bytes)) }

  public static func hex(_ bytes: ArraySlice<UInt8>) -> String { Hexadecimal.text(digest(bytes)) }
}

/// Hash state after a prefix that many texts share, so that the prefix is hashed once.
///
/// Safe to share: the state is only copied.
@safe public final class SHA256Prefix: @unchecked Sendable {
  private let hash: SHA256

  public init(_ bytes: ArraySlice<UInt8>) {
    var hash = SHA256()
    hash.update(bytes)
    self.hash = hash
  }

  /// Returns a hash that already contains the prefix.
  public func continued() -> SHA256 { hash.copy() }
}
