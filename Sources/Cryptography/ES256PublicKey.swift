internal import COpenSSL
internal import Synchronization

/// A P-256 public key that verifies raw ECDSA signatures over SHA-256 digests.
///
/// Safe to share: one thread at a time uses a verification context; idle contexts are kept in a locked list.
@safe public final class ES256PublicKey: @unchecked Sendable {
  /// Length of a raw signature in bytes: r and s of 32 bytes each.
  /// - Source: RFC 7518, 3.4.
  public static let signatureBytes = 64
  /// Maximum number of idle contexts; more than the number of cores gains nothing.
  private static let idleContextsMax = 64

  /// Number of verifications before the key's table is computed, which costs as much as a few hundred of them.
  static let tableUses = 500

  private let key: OpaquePointer
  private let idle = Mutex<[UInt]>([])
  private let table = Mutex<TableState>(.none(uses: 0))

  /// The state of a key's table: many keys sign once, and a few sign nearly everything.
  private enum TableState {
    case none(uses: Int)
    case made(ES256KeyTable)
    /// Another caller computes the table, or OpenSSL could not.
    case unavailable
  }

  /// Takes ownership of an `EVP_PKEY`. Returns nil when it is no P-256 key.
  init?(owning key: OpaquePointer) {
    guard unsafe Self.isOnP256(key) else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe self.key = key
  }

  static func isOnP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    var length = 0
    guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
  }

  /// Reads a DER SubjectPublicKeyInfo, the content of a PEM public key. Returns nil when it is no P-256 key.
  ///
  /// - Source: RFC 5480, 2; OpenSSL, d2i_PUBKEY(3).
  public convenience init?(subjectPublicKeyInfo bytes: [UInt8]) {
    defer { ERR_clear_error() }
    let read = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let key = unsafe read else { return nil }
    unsafe self.init(owning: key)
  }

  deinit {
    idle.withLock { contexts in
      for context in contexts { unsafe EVP_PKEY_CTX_free(OpaquePointer(bitPattern: context)) }
    }
    unsafe EVP_PKEY_free(key)
  }

  /// Returns whether this key made a raw signature (r then s) over a SHA-256 digest.
  ///
  /// - Parameter inverses: inverses computed in advance; nil for none.
  public func verifies(signature: ArraySlice<UInt8>, digest: [UInt8], inverses: SignatureInverses? = nil) -> Bool {
    let inverse = inverses?.take(signature.suffix(Self.signatureBytes / 2))
    return currentTable()?.verifies(signature: signature, digest: digest, inverse: inverse)
      ?? verifiesPlainly(signature: signature, digest: digest)
  }

  /// Returns the key's table; nil before `tableUses` verifications. One caller computes it.
  private func currentTable() -> ES256KeyTable? {
    let isDue = table.withLock { state in
      guard case .none(let uses) = state else { return false }
      state = uses < Self.tableUses ? .none(uses: uses + 1) : .unavailable
      return uses >= Self.tableUses
    }
    if isDue { makeTable() }
    return table.withLock { if case .made(let table) = $0 { table } else { nil } }
  }

  /// Computes the table at once; has no effect where OpenSSL cannot.
  public func makeTable() {
    defer { ERR_clear_error() }
    guard let made = ES256KeyTable(point: publicPoint()) else { return }
    table.withLock { $0 = .made(made) }
  }

  /// Returns the key as an uncompressed point; empty when OpenSSL cannot export it.
  private func publicPoint() -> [UInt8] {
    var point = [UInt8](repeating: 0, count: 65)
    var length = 0
    let known = unsafe EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", &point, point.count, &length)
    return known == 1 && length == point.count ? point : []
  }

  /// Verifies like `verifies`, with `EVP_PKEY_verify` alone.
  public func verifiesPlainly(signature: ArraySlice<UInt8>, digest: [UInt8]) -> Bool {
    guard signature.count == Self.signatureBytes, let context = unsafe takeContext() else { return false }
    let encoded = Self.der(signature)
    let verdict = unsafe EVP_PKEY_verify(context, encoded, encoded.count, digest, digest.count)
    // OpenSSL queues an error per invalid signature, which nothing reads.
    if verdict != 1 { ERR_clear_error() }
    unsafe returnToPool(context)
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

  private func returnToPool(_ context: OpaquePointer) {
    let address = UInt(bitPattern: context)
    let isKept = idle.withLock { contexts in
      guard contexts.count < Self.idleContextsMax else { return false }
      contexts.append(address)
      return true
    }
    if !isKept { unsafe EVP_PKEY_CTX_free(context) }
  }

  /// Returns a raw signature as the ASN.1 sequence that OpenSSL requires.
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
