internal import COpenSSL

/// A CMS SignedData message: content, signer and enclosed certificates.
///
/// The signature is verified; the caller decides whether to trust the signer.
/// - Source: RFC 5652, 5; OpenSSL, CMS_verify.
public struct SignedMessage: Sendable {
  /// The signed content.
  public let content: [UInt8]
  /// Certificates enclosed in the message, at most `certificatesMax`; none of them is trusted.
  public let certificates: [Certificate]
  /// The certificate that made the only signature; nil when the signature is invalid.
  public let signer: Certificate?

  /// Maximum number of certificates in a message; Apple sends three.
  public static let certificatesMax = 8
  /// Maximum length of a message in bytes.
  public static let bytesMax = 64 << 20

  /// Reads BER or DER. Returns nil when the bytes are no SignedData over plain data, or continue after it.
  public init?(_ bytes: [UInt8]) {
    defer { ERR_clear_error() }
    guard !bytes.isEmpty, bytes.count <= Self.bytesMax, let message = unsafe Self.parse(bytes) else { return nil }
    defer { unsafe CMS_ContentInfo_free(message) }
    guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed,
      unsafe OBJ_obj2nid(CMS_get0_eContentType(message)) == NID_pkcs7_data,
      let content = unsafe Self.content(of: message), let certificates = unsafe Self.certificates(of: message)
    else { return nil }
    self.content = content
    self.certificates = certificates
    signer = unsafe Self.signer(of: message, among: certificates)
  }

  private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      guard let message = unsafe d2i_CMS_ContentInfo(nil, &cursor, buffer.count) else { return nil }
      guard unsafe cursor == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
        unsafe CMS_ContentInfo_free(message)
        return nil
      }
      return unsafe message
    }
  }

  private static func content(of message: OpaquePointer) -> [UInt8]? {
    guard let place = unsafe CMS_get0_content(message), let string = unsafe place.pointee else { return nil }
    let length = unsafe Int(ASN1_STRING_length(string))
    guard length > 0, let start = unsafe ASN1_STRING_get0_data(string) else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
  }

  /// Returns the enclosed certificates; nil when there are too many, or one cannot be read.
  private static func certificates(of message: OpaquePointer) -> [Certificate]? {
    guard let stack = unsafe CMS_get1_certs(message) else { return [] }
    let count = unsafe payrecon_x509_stack_count(stack)
    var found: [Certificate] = []
    var isReadable = count <= Int32(certificatesMax)
    for index in 0..<max(0, count) {
      let pointer = unsafe payrecon_x509_stack_value(stack, index)
      if isReadable, let pointer = unsafe pointer, let certificate = unsafe Certificate(copying: pointer) {
        found.append(certificate)
      } else {
        isReadable = false
      }
      unsafe X509_free(pointer)
    }
    unsafe payrecon_x509_stack_free(stack)
    return isReadable ? found : nil
  }

  private static func signer(of message: OpaquePointer, among certificates: [Certificate]) -> Certificate? {
    let flags = UInt32(CMS_BINARY) | UInt32(CMS_NO_SIGNER_CERT_VERIFY)
    guard unsafe CMS_verify(message, nil, nil, nil, nil, flags) == 1 else { return nil }
    guard let signers = unsafe CMS_get0_signers(message) else { return nil }
    defer { unsafe payrecon_x509_stack_free(signers) }
    guard unsafe payrecon_x509_stack_count(signers) == 1, let pointer = unsafe payrecon_x509_stack_value(signers, 0)
    else { return nil }
    return certificates.first { unsafe X509_cmp($0.pointer, pointer) == 0 }
  }
}
