internal import Cryptography
internal import Domain

extension EvidenceItem {
  /// SHA-256 of what Apple signed of the item, in hexadecimal: header and payload of a JWS, the content of a receipt.
  ///
  /// Around that a text can be written in many ways that all verify; this is the same for all of them. Of what is not signed
  /// it is ``sha256``.
  public var signedSHA256: String {
    if kind == .receipt, let der = ReceiptText.der(Array(raw)), let message = AppReceipt.message(der) {
      return SHA256.hex(message.content)
    }
    guard let jws = CompactJWS(raw) else { return sha256 }
    return SHA256.hex(raw[..<jws.payload.endIndex])
  }
}
