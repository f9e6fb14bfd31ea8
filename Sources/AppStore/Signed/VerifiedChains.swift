internal import Cryptography
internal import Glibc
internal import Synchronization

/// A signer whose chain was verified.
struct VerifiedSigner: Sendable {
  var key: ES256PublicKey
  /// Seconds since 1970 in which leaf, intermediate and root are all valid.
  var notBefore: Int64
  var notAfter: Int64
  /// SHA-256 of the header segment, in hexadecimal.
  var headerSHA256: String
  /// Hash of the header segment, to go on from.
  var hashedHeader: SHA256Prefix
}

/// Signers by the bytes of the header that names them.
///
/// An entry is made only after chain and signature held, so that varied junk can neither grow nor poison it.
final class VerifiedChains: Sendable {
  /// Headers kept; Apple uses a handful at a time.
  static let entriesMax = 1024

  private let entries = Mutex<[HeaderKey: VerifiedSigner]>([:])

  func signer(_ header: ArraySlice<UInt8>) -> VerifiedSigner? {
    let key = HeaderKey(bytes: header)
    return entries.withLock { $0[key] }
  }

  func keep(_ signer: VerifiedSigner, for header: ArraySlice<UInt8>) {
    // A copy of its own: the slice would keep the whole item in memory.
    let key = HeaderKey(bytes: Array(header)[...])
    entries.withLock { entries in
      if entries.count >= Self.entriesMax { entries.removeAll(keepingCapacity: true) }
      entries[key] = signer
    }
  }
}

/// Bytes hashed in one piece; an array of bytes would be hashed one by one.
private struct HeaderKey: Hashable {
  var bytes: ArraySlice<UInt8>

  static func == (one: HeaderKey, other: HeaderKey) -> Bool {
    guard one.bytes.count == other.bytes.count else { return false }
    return unsafe one.bytes.withUnsafeBytes { left in
      unsafe other.bytes.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return unsafe memcmp(left, right, one.bytes.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
