internal import Cryptography
internal import Domain
internal import JSON
internal import Wording

extension EvidenceReader {
  private static let signerMarker = "1.2.840.113635.100.6.11.1"

  /// Reads an app receipt, base64 or BER, and its purchases.
  func readReceipt(_ bytes: [UInt8], parent: EvidenceItem?) -> [EvidenceItem] {
    var item = malformed(bytes[...], parent, kind: .receipt, reason: nil)
    guard bytes.count <= AppReceipt.bytesMax else {
      item.reason = Phrase("receipt.long", ["max": .plain(AppReceipt.bytesMax)])
      return [item]
    }
    guard let der = ReceiptText.der(bytes) else {
      item.reason = "receipt.text"
      return [item]
    }
    // The hash of base64 text differs from the hash of the decoded bytes.
    if parent == nil, der.count != bytes.count { item.bodySHA256 = SHA256.hex(der) }
    guard let message = AppReceipt.message(der) else {
      item.reason = "receipt.cms"
      return [item]
    }
    let receipt: AppReceipt
    do {
      receipt = try AppReceipt(content: message.content)
    } catch {
      item.field = "content"
      item.reason = Phrase("receipt.content", ["why": error.reason])
      return [item]
    }
    item.verdict = .genuine
    item.bundleID = Printable.claim(receipt.bundleID)
    item.environment = receipt.environment?.rawValue ?? Printable.claim(receipt.type)
    item.signedAt = receipt.createdAt
    item.unrecognized = receipt.unrecognized
    if receipt.environment == nil, !item.environment.isEmpty { item.noteReceiptType(item.environment) }
    judge(&item, message, receipt)
    let context = LegacyContext(bundleID: item.bundleID, environment: item.environment, statedAt: receipt.createdAt)
    let upgrades = Upgrades(receipt.inApp)
    let purchases = receipt.inApp.map { record in
      nested(record.raw[...], kind: .transaction, in: item) { nested in
        nested.fill(LegacyRow(record.row, in: context))
        if nested.transaction?.type == nil { nested.transaction?.type = record.productType }
        if upgrades.end(record) { nested.transaction?.isUpgraded = true }
        let known = Set(record.unrecognized.map(\.field))
        nested.unrecognized = record.unrecognized + nested.unrecognized.filter { !known.contains($0.field) }
      }
    }
    let unreadable = receipt.unreadable.map { record in
      nested(record.raw[...], kind: .transaction, in: item) { nested in
        if nested.verdict == .genuine { nested.mark(.malformed, "in_app", Phrase("receipt.record", ["why": record.reason])) }
      }
    }
    return [item] + purchases + unreadable
  }

  /// The cancellations of a receipt that are upgrades: another product of the subscription was bought at that instant.
  ///
  /// - Source: Apple, Receipt Validation Programming Guide, "Cancellation Date".
  private struct Upgrades {
    /// Maximum difference between the two instants of one upgrade, in seconds.
    private static let secondsMax: Int64 = 60

    private var purchases: [String: [(second: Int64, product: String)]] = [:]

    init(_ records: [InAppRecord]) {
      for row in records.map(\.row) where row.has("expires_date_ms") {
        guard let original = row.string("original_transaction_id"), let at = row.integer("purchase_date_ms"),
          let product = row.string("product_id")
        else { continue }
        purchases[original, default: []].append((at / 1000, product))
      }
    }

    /// Returns whether an upgrade ended the record's period.
    func end(_ record: InAppRecord) -> Bool {
      guard record.row.has("expires_date_ms"), let original = record.row.string("original_transaction_id"),
        let at = record.row.integer("cancellation_date_ms")
      else { return false }
      let product = record.row.string("product_id")
      return purchases[original, default: []].contains { $0.product != product && abs($0.second - at / 1000) <= Self.secondsMax }
    }
  }

  private func judge(_ item: inout EvidenceItem, _ message: SignedMessage, _ receipt: AppReceipt) {
    if let (field, reason) = forgery(message, at: receipt.createdAt ?? now) {
      item.mark(.forged, field, reason)
    } else if receipt.bundleID == nil {
      item.markMissing("bundle_id", apple: "bundle_id")
    } else if let field = foreignness(receipt) {
      item.markForeign(field)
    }
  }

  /// Returns why a receipt is not signed by Apple; nil when it is.
  ///
  /// Certificates must be valid when the receipt was created, because receipts outlive their signer's certificate.
  /// - Source: Apple, Receipt Validation Programming Guide, "Validate the Receipt".
  private func forgery(_ message: SignedMessage, at instant: Timestamp) -> (field: String, reason: Phrase)? {
    guard let signer = message.signer else { return ("signature", "signed.signature_fails") }
    guard signer.hasExtension(Self.signerMarker) else { return ("certificates", "signed.certificate_marker") }
    guard let (intermediate, root) = chain(of: signer, in: message) else {
      return ("certificates", "signed.chain_root")
    }
    let seconds = instant.microseconds >= 0 ? instant.microseconds / 1_000_000 : -1
    for certificate in [signer, intermediate, root] {
      guard seconds >= certificate.notBefore, seconds <= certificate.notAfter else {
        return ("creation_date", "receipt.certificates")
      }
    }
    return nil
  }

  /// Returns the intermediate and root of a signer. Roots in the message are never trusted: `roots` contains the configured ones only.
  private func chain(of signer: Certificate, in message: SignedMessage) -> (Certificate, Certificate)? {
    for candidate in message.certificates where candidate.isAuthority && candidate.der != signer.der {
      if let root = roots.root(leaf: signer, intermediate: candidate) { return (candidate, root) }
    }
    return nil
  }

  /// Returns the field that shows a genuine receipt to be of another app; nil when it is ours.
  private func foreignness(_ receipt: AppReceipt) -> String? {
    guard let app = receipt.bundleID.flatMap({ apps[$0] }) else { return "bundle_id" }
    guard let environment = receipt.environment, environment.isBookable else { return "environment" }
    let appleID = receipt.appleID == 0 ? nil : receipt.appleID
    if environment == .production, let ours = app.appleID, let appleID, appleID != ours { return "app_id" }
    return nil
  }
}
