internal import Cryptography
public import Domain
internal import Wording
internal import JSON

/// Recognises, verifies and decodes Apple evidence.
public final class EvidenceReader: Sendable {
  /// Version of reading and judging. Increase it whenever the same bytes may be read or judged differently.
  public static let version = 8

  /// The roots, apps and version that the verdicts depend on.
  public let identity: ReaderIdentity
  let apps: [String: AppIdentity]
  let roots: TrustStore
  let now: Timestamp
  private let verifier: SignatureVerifier

  /// Maximum number of items nested in one item; Apple's largest answers and receipts have a few thousand.
  public static let nestedMax = 25_000
  private static let platforms: Set = ["iOS", "macOS", "tvOS", "visionOS"]
  private static let noJWS: Phrase = "signed.text_jws"
  private static let tableRow: Phrase = "signed.table_row"
  private static let list: Phrase = "signed.list"
  static let tooMany = Phrase("signed.holds_many", ["max": .plain(nestedMax)])

  /// - Parameter now: instant at which certificates must be valid when an item does not state when it was signed.
  public init(apps: [AppIdentity], anchors: TrustAnchors, now: Timestamp) {
    identity = ReaderIdentity(apps: apps, anchors: anchors, version: Self.version)
    self.apps = Dictionary(apps.map { ($0.bundleID, $0) }) { first, _ in first }
    roots = TrustStore(roots: anchors.certificates)
    verifier = SignatureVerifier(anchors: anchors)
    self.now = now
  }

  /// Computes at once a part of the verification of texts that are read next.
  public func prepare(_ texts: some Sequence<[UInt8]>) { verifier.prepare(texts) }

  /// Reads one item and the items nested in it, parent first. The content shows the kind of the item.
  ///
  /// An item is one of:
  /// - a compact JWS, or a notification body V1 or V2;
  /// - an App Store Server API answer, or a verifyReceipt answer;
  /// - an app receipt (base64 or DER), or a transaction receipt of iOS 6;
  /// - a request to verifyReceipt with such a receipt.
  ///
  /// Quotes, percent-encoding, escapes, padding and white space that clients and logs add are removed.
  /// - Parameters:
  ///   - isFromApple: whether Apple's server sent these bytes over TLS. An unsigned verifyReceipt answer is then genuine.
  ///   - isWrapped: whether a wrapper quoted the item. A JWS may then begin with white space or use the standard base64 alphabet.
  ///     Elsewhere such a JWS is malformed, as in Apple's libraries.
  public func read(_ bytes: [UInt8], isFromApple: Bool = false, isWrapped: Bool = false) -> [EvidenceItem] {
    let text = isFromApple ? bytes : LoggedText.unwrapped(bytes)
    return readBare(text, isFromApple: isFromApple, isAlone: !isWrapped)
  }

  private func readBare(_ bytes: [UInt8], isFromApple: Bool, isAlone: Bool = false) -> [EvidenceItem] {
    if ReceiptText.isReceipt(bytes) { return readReceipt(bytes, parent: nil) }
    if ReceiptText.isJSON(bytes) { return readBody(bytes, isFromApple: isFromApple) }
    if let items = readTransactionReceipt(bytes) { return items }
    let items = readSigned(bytes[...], parent: nil, isAlone: isAlone)
    // Only text that is no JWS is searched for brackets and commas.
    guard items.first?.verdict == .malformed else { return items }
    if ReceiptText.isList(bytes) { return [unrecognized(bytes, field: "", reason: Self.list)] }
    return ReceiptText.isTableRow(bytes) ? [unrecognized(bytes, field: "", reason: Self.tableRow)] : items
  }

  private func readBody(_ bytes: [UInt8], isFromApple: Bool) -> [EvidenceItem] {
    do {
      let body = try JSONObject(parsing: bytes[...])
      if let text = body.utf8("signedPayload") {
        var items = readSigned(text, parent: nil)
        items[0].bodySHA256 = SHA256.hex(bytes)
        return items
      }
      if let receipt = body.utf8("receipt-data").map({ Array($0) }) { return readBare(receipt, isFromApple: false) }
      if let items = readV1(body, bytes) ?? readAPIAnswer(body, bytes) { return items }
      if VerifyReceiptAnswer.isAnswer(body), let answer = VerifyReceiptAnswer(body, bundleID: nil) {
        return readAnswer(answer, bytes[...], parent: nil, isFromApple: isFromApple)
      }
      return [unrecognized(bytes, field: "signedPayload", reason: "signed.stranger")]
    } catch {
      return [unrecognized(bytes, field: "", reason: Phrase("signed.text_json", ["why": error.phrase]))]
    }
  }

  private func unrecognized(_ bytes: [UInt8], field: String, reason: Phrase) -> EvidenceItem {
    malformed(SecretRedaction.redacted(bytes)[...], nil, field: field, reason: reason)
  }

  func malformed(
    _ bytes: ArraySlice<UInt8>, _ parent: EvidenceItem?, kind: EvidenceKind? = nil, field: String = "", reason: Phrase?
  ) -> EvidenceItem {
    EvidenceItem(
      sha256: SHA256.hex(bytes), parentSHA256: parent?.sha256, kind: kind, verdict: .malformed, reason: reason, field: field, raw: bytes)
  }

  /// Reads a signed item.
  ///
  /// A text that clients or logs encoded again is the JWS of which it was made. The hash of the text, as it was sent, becomes the item's
  /// `bodySHA256`. Padding that Apple signed stays.
  /// - Parameter isAlone: whether no other text quotes the item.
  func readSigned(_ bytes: ArraySlice<UInt8>, parent: EvidenceItem?, isAlone: Bool = false) -> [EvidenceItem] {
    do {
      let items = try readParsed(bytes, parent: parent)
      // Padding behind the signature does not break it, but the JWS has another address without it.
      guard items[0].field == SignedFault.signature || bytes.last == LoggedText.padding else { return items }
      let plain = readReencoded(bytes, parent: parent, isAlone: isAlone)
      return plain.flatMap { $0[0].field == SignedFault.signature ? nil : $0 } ?? items
    } catch {
      if let items = readReencoded(bytes, parent: parent, isAlone: isAlone) { return items }
      switch error {
      case .malformed(let field, let reason), .forged(let field, let reason):
        return [malformed(bytes, parent, field: field, reason: reason)]
      }
    }
  }

  /// Reads a signed item without the encoding that clients and logs add. Returns nil when it has none, or is not readable without it.
  private func readReencoded(_ bytes: ArraySlice<UInt8>, parent: EvidenceItem?, isAlone: Bool) -> [EvidenceItem]? {
    guard let text = LoggedText.signed(bytes, isAlone: isAlone), var items = try? readParsed(text[...], parent: parent) else { return nil }
    if parent == nil { items[0].bodySHA256 = SHA256.hex(bytes) }
    return items
  }

  /// Reads and verifies a signed item.
  private func readParsed(_ bytes: ArraySlice<UInt8>, parent: EvidenceItem?) throws(SignedFault) -> [EvidenceItem] {
    guard let jws = CompactJWS(bytes) else { throw .malformed(field: "", reason: Self.noJWS) }
    guard let text = Base64.decodeURL(jws.payload) else { throw .malformed(field: "payload", reason: "signed.payload_text") }
    let object: JSONObject
    do {
      object = try JSONObject(parsing: text[...])
    } catch {
      // Three words separated by dots are no JWS.
      guard bytes.starts(with: "ey".utf8) else { throw .malformed(field: "", reason: Self.noJWS) }
      throw .malformed(field: "payload", reason: Phrase("signed.payload_json", ["why": error.phrase]))
    }
    let payload = try SignedPayload(object, in: parent)
    let signer = verifier.knownSigner(of: jws)
    let digests = jws.digests(after: signer?.hashedHeader)
    var item = EvidenceItem(
      sha256: digests.textHex, parentSHA256: parent?.sha256, kind: payload.kind, verdict: .genuine,
      bundleID: Printable.claim(payload.bundleID), environment: Printable.claim(payload.environment), raw: bytes,
      signedAt: payload.signedAt)
    decode(payload, into: &item)
    do {
      item.headerSHA256 = try verifier.verify(jws, digest: digests.signed, by: signer, at: payload.signedAt ?? now)
      item.headerLength = jws.header.count
      judgeOrigin(&item, payload)
    } catch {
      guard case .forged(let field, let reason) = error else { throw error }
      item.mark(.forged, field, reason)
    }
    var items = [item]
    for text in payload.nested { items += readInside(item, text) }
    if item.headerLength > 0 {
      items[0].noteInner(items.dropFirst(), in: text[...])
      items[0].noteValues(object)
    }
    return items
  }

  /// Reads a signed item nested in another one.
  ///
  /// A genuine item becomes foreign when its parent has another Apple id. A renewal info also becomes foreign when its parent has another
  /// bundle id. The same item alone, or nested in an item of our app, keeps its verdict.
  func readInside(_ parent: EvidenceItem, _ bytes: ArraySlice<UInt8>) -> [EvidenceItem] {
    readSigned(bytes, parent: parent).map { inner in
      guard parent.verdict == .foreign, inner.verdict == .genuine,
        parent.field == "app_id" || (parent.field == "bundle_id" && inner.kind == .renewalInfo)
      else { return inner }
      var item = inner
      item.markForeign(parent.field)
      return item
    }
  }

  /// Decides whether a genuinely signed payload is of our app. An absent field names no other app, so the verdict stays pending.
  private func judgeOrigin(_ item: inout EvidenceItem, _ payload: SignedPayload) {
    if payload.kind == .other {
      let field = foreignness(bundleID: payload.bundleID, appleID: payload.appleID, environment: payload.environment)
      if let field { item.markForeign(field) }
      return
    }
    if payload.kind != .renewalInfo {
      guard let bundleID = payload.bundleID, !bundleID.isEmpty else { return item.markMissing("bundle_id", apple: "bundleId") }
      guard let app = apps[bundleID] else { return item.markForeign("bundle_id") }
      let namesApp = payload.kind == .notification || payload.kind == .appTransaction
      if namesApp, payload.environment == AppStoreEnvironment.production.rawValue, let ours = app.appleID {
        guard let theirs = payload.appleID else { return item.markMissing("app_id", apple: "appAppleId") }
        guard theirs == ours else { return item.markForeign("app_id") }
      }
    }
    guard let word = payload.environment, !word.isEmpty else { return item.markMissing("environment", apple: "environment") }
    if AppStoreEnvironment(rawValue: word)?.isBookable != true { item.markForeign("environment") }
  }

  private func decode(_ payload: SignedPayload, into item: inout EvidenceItem) {
    var fields = PayloadFields(payload.object)
    switch payload.kind {
    case .transaction: item.transaction = TransactionFields(&fields)
    case .renewalInfo: item.renewal = RenewalFields(&fields)
    case .notification: item.notification = NotificationFields(&fields)
    case .appTransaction:
      _ = fields.word("receiptType", of: AppStoreEnvironment.names)
      _ = fields.word("originalPlatform", of: Self.platforms)
    default: break
    }
    item.unrecognized = fields.unrecognized
  }
}
