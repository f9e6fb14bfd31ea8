internal import Cryptography
internal import Domain

extension EvidenceItem {
  /// SHA-256, in hexadecimal, of the part that Apple signed: header and payload of a JWS, the content of a receipt.
  ///
  /// Many texts can encode the same signed part, and all of them verify; this hash is equal for all. For an unsigned item it is
  /// ``sha256``.
  public var signedSHA256: String {
    if kind == .receipt, let der = ReceiptText.der(Array(raw)), let message = AppReceipt.message(der) {
      return SHA256.hex(message.content)
    }
    guard let jws = CompactJWS(raw) else { return sha256 }
    return SHA256.hex(raw[..<jws.payload.endIndex])
  }
}
