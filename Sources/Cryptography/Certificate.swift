internal import COpenSSL
internal import Glibc

/// An X.509 certificate.
///
/// Safe to share: the certificate is read-only after parsing.
@safe public final class Certificate: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The original DER bytes.
  public let der: [UInt8]
  /// First second of the validity; `notAfter` is the last; in seconds since 1970.
  public let notBefore: Int64
  public let notAfter: Int64

  /// Maximum size of a certificate in bytes.
  public static let bytesMax = 64 << 10

  /// Reads DER. Returns nil when the bytes are no certificate or continue after it.
  public init?(der: [UInt8]) {
    guard !der.isEmpty, der.count <= Self.bytesMax, let parsed = unsafe Self.parse(der) else {
      ERR_clear_error()
      return nil
    }
    guard let first = unsafe Self.seconds(X509_get0_notBefore(parsed)),
      let last = unsafe Self.seconds(X509_get0_notAfter(parsed))
    else {
      unsafe X509_free(parsed)
      return nil
    }
    unsafe pointer = parsed
    self.der = der
    notBefore = first
    notAfter = last
  }

  /// Copies a certificate that OpenSSL owns.
  convenience init?(copying pointer: OpaquePointer) {
    let length = unsafe i2d_X509(pointer, nil)
    guard length > 0 else { return nil }
    let der = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      var cursor = buffer.baseAddress
      count = unsafe Int(i2d_X509(pointer, &cursor))
    }
    self.init(der: der)
  }

  deinit { unsafe X509_free(pointer) }

  /// Reads every certificate of a PEM text; the result may be empty.
  public static func pem(_ text: [UInt8]) -> [Certificate] {
    unsafe text.withUnsafeBytes { buffer in
      guard let bio = unsafe payrecon_bio_of(buffer.baseAddress, Int32(clamping: buffer.count)) else { return [] }
      defer { unsafe BIO_free(bio) }
      var found: [Certificate] = []
      while let parsed = unsafe PEM_read_bio_X509(bio, nil, nil, nil) {
        defer { unsafe X509_free(parsed) }
        if let certificate = unsafe Certificate(copying: parsed) { found.append(certificate) }
      }
      ERR_clear_error()
      return found
    }
  }

  private static func parse(_ der: [UInt8]) -> OpaquePointer? {
    unsafe der.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let parsed = unsafe d2i_X509(nil, &cursor, buffer.count) else { return nil }
      guard unsafe cursor == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
        unsafe X509_free(parsed)
        return nil
      }
      return unsafe parsed
    }
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = unsafe tm()
    guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(unsafe timegm(&parts))
  }

  /// The public key; nil when it is no P-256 key.
  public var es256PublicKey: ES256PublicKey? {
    guard let key = unsafe X509_get_pubkey(pointer) else {
      ERR_clear_error()
      return nil
    }
    return unsafe ES256PublicKey(owning: key)
  }

  /// Returns whether the certificate has an extension.
  ///
  /// - Parameter oid: dotted decimal object identifier.
  public func hasExtension(_ oid: String) -> Bool {
    guard let object = unsafe OBJ_txt2obj(oid, 1) else { return false }
    defer { unsafe ASN1_OBJECT_free(object) }
    return unsafe X509_get_ext_by_OBJ(pointer, object, -1) >= 0
  }

  /// Whether both certificates name the same holder.
  func hasSubject(of other: Certificate) -> Bool { unsafe X509_subject_name_cmp(pointer, other.pointer) == 0 }

  /// Common name of the holder; empty if it names none.
  public var subjectName: String { unsafe Self.commonName(X509_get_subject_name(pointer)) }
  /// Common name of the signer, as the certificate states it; empty if it names none.
  public var issuerName: String { unsafe Self.commonName(X509_get_issuer_name(pointer)) }

  /// Longest common name that is read, in bytes. Longer names are truncated.
  private static let nameBytesMax = 256

  private static func commonName(_ name: OpaquePointer?) -> String {
    guard let name = unsafe name else { return "" }
    var buffer = [CChar](repeating: 0, count: nameBytesMax)
    let count = unsafe X509_NAME_get_text_by_NID(name, NID_commonName, &buffer, Int32(buffer.count))
    return String(decoding: buffer.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the certificate may sign other certificates.
  public var isAuthority: Bool { unsafe X509_check_ca(pointer) == 1 }
}
