internal import Cryptography
internal import Glibc
internal import Synchronization

struct VerifiedSigner: Sendable {
  var key: ES256PublicKey
  /// Start of the interval in which leaf, intermediate and root are all valid, in seconds since 1970.
  var notBefore: Int64
  var notAfter: Int64
  /// SHA-256 of the header segment, in hexadecimal.
  var headerSHA256: String
  /// Hash state after the header segment, from which the item's hash continues.
  var hashedHeader: SHA256Prefix
}

/// Verified signers by the bytes of their header.
///
/// An entry is added only after chain and signature were verified, so that varied junk can neither fill nor poison the cache.
final class VerifiedChains: Sendable {
  /// Maximum number of cached headers; Apple uses a handful at a time.
  static let entriesMax = 1024

  private let entries = Mutex<[HeaderKey: VerifiedSigner]>([:])

  func signer(_ header: ArraySlice<UInt8>) -> VerifiedSigner? {
    let key = HeaderKey(bytes: header)
    return entries.withLock { $0[key] }
  }

  func keep(_ signer: VerifiedSigner, for header: ArraySlice<UInt8>) {
    // Copy the header: the slice would keep the whole item in memory.
    let key = HeaderKey(bytes: Array(header)[...])
    entries.withLock { entries in
      if entries.count >= Self.entriesMax { entries.removeAll(keepingCapacity: true) }
      entries[key] = signer
    }
  }
}

/// A header hashed as one buffer; an array would be hashed byte by byte.
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

  func hash(into hasher: inout Hasher) { unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}
