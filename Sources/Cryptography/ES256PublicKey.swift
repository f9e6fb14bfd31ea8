internal import COpenSSL
internal import Synchronization

/// A P-256 public key that checks raw ECDSA signatures over SHA-256 digests.
///
/// Safe to share: a verification context is used by one thread at a time, taken from and given back to a locked list.
@safe public final class ES256PublicKey: @unchecked Sendable {
  /// Bytes of a raw signature: r and s of 32 bytes each.
  /// - Source: RFC 7518, 3.4.
  public static let signatureBytes = 64
  /// Contexts kept for the next caller; more than the machine has cores gains nothing.
  private static let idleContextsMax = 64

  private let key: OpaquePointer
  private let idle = Mutex<[UInt]>([])

  /// Takes over an `EVP_PKEY`; nil when it is no P-256 key.
  init?(owning key: OpaquePointer) {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    let known = unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length)
    let group = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard known == 1, group == "prime256v1" else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe self.key = key
  }

  deinit {
    idle.withLock { contexts in
      for context in contexts { unsafe EVP_PKEY_CTX_free(OpaquePointer(bitPattern: context)) }
    }
    unsafe EVP_PKEY_free(key)
  }

  /// Whether a raw signature (r then s) over a SHA-256 digest was made with this key.
  public func verifies(signature: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
    guard signature.count == Self.signatureBytes, let context = unsafe takeContext() else { return false }
    let encoded = Self.der(signature)
    let verdict = unsafe EVP_PKEY_verify(context, encoded, encoded.count, digest, digest.count)
    // OpenSSL queues an error per refused signature; nobody reads it.
    if verdict != 1 { ERR_clear_error() }
    unsafe giveBack(context)
    return verdict == 1
  }

  private func takeContext() -> OpaquePointer? {
    if let pooled = idle.withLock({ $0.popLast() }) { return unsafe OpaquePointer(bitPattern: pooled) }
    guard let fresh = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
    guard unsafe EVP_PKEY_verify_init(fresh) == 1 else {
      unsafe EVP_PKEY_CTX_free(fresh)
      return nil
    }
    return unsafe fresh
  }

  private func giveBack(_ context: OpaquePointer) {
    let address = UInt(bitPattern: context)
    let isKept = idle.withLock { contexts in
      guard contexts.count < Self.idleContextsMax else { return false }
      contexts.append(address)
      return true
    }
    if !isKept { unsafe EVP_PKEY_CTX_free(context) }
  }

  /// A raw signature as the ASN.1 sequence that OpenSSL reads.
  ///
  /// - Source: RFC 3279, 2.2.3.
  private static func der(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(72)
    body += [0x30, 0]
    for half in [raw.prefix(32), raw.suffix(32)] {
      let digits = half.drop { $0 == 0 }
      let needsZero = (digits.first ?? 0x80) >= 0x80
      body += [0x02, UInt8(digits.count + (needsZero ? 1 : 0))]
      if needsZero { body.append(0) }
      body += digits
    }
    body[1] = UInt8(body.count - 2)
    return body
  }
}
