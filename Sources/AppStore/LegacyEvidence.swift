internal import Cryptography
internal import Domain
internal import JSON
internal import Wording

extension EvidenceReader {
  /// Reads a verifyReceipt answer, its rows, and its signed receipt.
  ///
  /// Rows are genuine only in an answer that Apple sent to us. `latest_receipt` is verified by its signature, whatever the answer's origin.
  func readAnswer(_ answer: VerifyReceiptAnswer, _ bytes: ArraySlice<UInt8>, parent: EvidenceItem?, isFromApple: Bool) -> [EvidenceItem] {
    if answer.hasTooManyRows { return [malformed(bytes, parent, kind: .verifyReceipt, reason: Self.tooMany)] }
    var item = EvidenceItem(
      sha256: SHA256.hex(bytes), parentSHA256: parent?.sha256, kind: .verifyReceipt, verdict: .genuine,
      bundleID: Printable.claim(answer.bundleID), environment: Printable.claim(answer.environment), raw: bytes,
      signedAt: answer.requestedAt ?? answer.receiptCreatedAt)
    if let type = answer.unknownReceiptType { item.noteReceiptType(Printable.claim(type)) }
    judge(&item, answer, isFromApple: isFromApple)
    var items = [item]
    if answer.status.carriesRows {
      for (text, row) in answer.rows {
        items.append(nested(text, kind: .transaction, in: item) { nested in nested.fill(row) })
      }
      for (text, row) in answer.renewals {
        items.append(
          nested(text, kind: .renewalInfo, in: item) { nested in
            nested.renewal = row.renewal
            nested.unrecognized = row.unrecognized
          })
      }
    } else if !answer.rows.isEmpty {
      items[0].unrecognized.append(UnrecognizedValue(field: "status", value: String(answer.status.code)))
    }
    if let text = answer.latestReceiptText.map({ Array($0) }), ReceiptText.isReceipt(text) {
      items += readReceipt(text, parent: item)
    }
    return items
  }

  private func judge(_ item: inout EvidenceItem, _ answer: VerifyReceiptAnswer, isFromApple: Bool) {
    guard isFromApple else { return item.mark(.pending, "", .unsigned) }
    if answer.bundleID == nil, answer.rows.isEmpty { return }
    guard let bundleID = answer.bundleID else { return item.markMissing("bundle_id", apple: "bundle_id") }
    guard let app = apps[bundleID] else { return item.markForeign("bundle_id") }
    guard let word = answer.environment else { return item.mark(.pending, "environment", .code("environment")) }
    guard let environment = AppStoreEnvironment(rawValue: word), environment.isBookable else { return item.markForeign("environment") }
    if environment == .production, let ours = app.appleID, let theirs = answer.appleID, ours != theirs { item.markForeign("app_id") }
  }

  /// Returns an unsigned item nested in another one; it shares the parent's verdict.
  ///
  /// Unsigned bytes prove nothing, so only an item of a genuine parent is identified by its own hash. Otherwise a forger could repeat a
  /// record and take its place in the store.
  func nested(
    _ text: ArraySlice<UInt8>, kind: EvidenceKind, in parent: EvidenceItem,
    _ fill: (inout EvidenceItem) -> Void
  ) -> EvidenceItem {
    let own = SHA256.hex(text)
    let isOwn = parent.verdict == .genuine && own != parent.sha256
    // sql/audit/check_evidence.sql computes the same joint hash.
    let joint = SHA256.hex(Array(parent.sha256.utf8) + Array(text))
    var item = EvidenceItem(
      sha256: isOwn ? own : joint, formerSHA256: isOwn ? joint : nil, parentSHA256: parent.sha256, kind: kind, verdict: parent.verdict,
      reason: parent.reason, field: parent.field, bundleID: parent.bundleID, environment: parent.environment, raw: text,
      signedAt: parent.signedAt, listedIn: parent.kind)
    fill(&item)
    return item
  }

  /// Reads a V1 notification. Returns nil when the object is none.
  ///
  /// V1 has no signature, so it proves nothing alone. Apple's copy of the shared secret is replaced by `"***"` before the bytes are hashed
  /// and stored.
  /// - Source: App Store Server Notifications V1, responseBodyV1.
  func readV1(_ object: JSONObject, _ bytes: [UInt8]) -> [EvidenceItem]? {
    guard case .string(let type)? = object["notification_type"] else { return nil }
    let kept = Self.withoutPassword(object, bytes)[...]
    let word = object.string("environment")
    let item = EvidenceItem(
      sha256: SHA256.hex(kept), kind: .notification, verdict: .pending, reason: .unsigned, bundleID: Printable.claim(object.string("bid")),
      environment: word == "PROD" ? AppStoreEnvironment.production.rawValue : Printable.claim(word), raw: kept,
      notification: NotificationFields(v1Type: Printable.claim(type)))
    var items = [item]
    // Parse the redacted bytes, so that no nested item contains the secret.
    if let unified = (try? JSONObject(parsing: kept))?.object("unified_receipt"),
      let answer = VerifyReceiptAnswer(unified, bundleID: object.string("bid"))
    {
      items += readAnswer(answer, unified.text, parent: item, isFromApple: false)
    } else if let text = object.utf8("latest_receipt").map({ Array($0) }), ReceiptText.isReceipt(text) {
      items += readReceipt(text, parent: item)
    }
    return items
  }

  /// Returns the text with the value of `password` replaced, even if the name is escaped.
  private static func withoutPassword(_ object: JSONObject, _ bytes: [UInt8]) -> [UInt8] {
    guard let value = object.text(of: "password") else { return SecretRedaction.redacted(bytes) }
    return SecretRedaction.redacted(bytes[..<value.startIndex] + Array("\"***\"".utf8) + bytes[value.endIndex...])
  }
}

extension NotificationFields {
  fileprivate init(v1Type: String) { type = v1Type }
}
