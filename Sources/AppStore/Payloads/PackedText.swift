internal import Cryptography
internal import Domain
internal import JSON

/// A signed text inside another one that is evidence by itself.
struct InnerText: Sendable {
  /// Where it stands: in the decoded payload of what is signed, in the text itself of what is not.
  var place: Range<Int>
  var sha256: String
}

extension EvidenceItem {
  /// Notes which of the items read from its text stand there letter by letter and are kept in any case.
  ///
  /// - Parameters:
  ///   - items: what was read inside it.
  ///   - text: its decoded payload, or itself when it is not signed.
  mutating func noteInner(_ items: some Sequence<EvidenceItem>, in text: ArraySlice<UInt8>) {
    let own = items.filter { $0.parentSHA256 == sha256 && $0.verdict == .genuine && $0.headerLength > 0 }
    var end = text.startIndex
    for item in own.sorted(by: { $0.raw.startIndex < $1.raw.startIndex }) {
      let place = item.raw.startIndex..<item.raw.endIndex
      // A text with escapes in it was copied out of them, and stands nowhere.
      guard place.lowerBound >= end, place.upperBound <= text.endIndex, text[place] == item.raw else { continue }
      inner.append(InnerText(place: place, sha256: item.sha256))
      end = place.upperBound
    }
  }

  /// Notes where in its decoded payload stand the values that differ from item to item.
  mutating func noteValues(_ payload: JSONObject) {
    guard verdict == .genuine else { return }
    let places = payload.places { !Self.namesOfFewValues.contains($0) }
    if places.count <= Self.valuesMax { values = places }
  }

  /// Of Apple's fields those that say one of a few things, so that they are part of what many payloads share.
  private static let namesOfFewValues: Set = [
    "appAppleId", "autoRenewStatus", "bundleId", "deviceVerification", "environment", "expirationIntent", "inAppOwnershipType",
    "isInBillingRetryPeriod", "isUpgraded", "notificationType", "offerDiscountType", "offerType", "originalPlatform",
    "priceIncreaseStatus", "quantity", "receiptType", "revocationReason", "status", "subtype", "transactionReason", "type",
    "version",
  ]

  /// Values of one payload that are told apart from its frame; Apple's own have some twenty.
  private static let valuesMax = 64

  /// What of it has to be kept beside its header and the items inside it.
  public func packed() -> PackedText {
    let signed = headerLength > 0 ? packedSigned() : inner.isEmpty ? nil : packed(raw, signature: [])
    let whole = raw.dropFirst(headerLength)
    return signed ?? PackedText(headerSHA256: headerSHA256, body: Array(whole), unpackedLength: nil)
  }

  private func packedSigned() -> PackedText? {
    guard let jws = CompactJWS(raw), jws.header.count == headerLength, Base64.isOnlyText(jws.payload),
      Base64.isOnlyText(jws.signature), let payload = Base64.decodeURL(jws.payload),
      let signature = Base64.decodeURL(jws.signature), !signature.isEmpty, signature.count <= UInt8.max
    else { return nil }
    return packed(payload[...], signature: signature)
  }

  private func packed(_ text: ArraySlice<UInt8>, signature: [UInt8]) -> PackedText {
    var body = bigEndian(inner.count) + [UInt8(signature.count)]
    var cutCount = 0
    for inner in inner {
      body += bigEndian(inner.place.lowerBound - text.startIndex - cutCount) + Hexadecimal.bytes(inner.sha256)
      cutCount += inner.place.count
    }
    body += signature
    let (frame, told) = values.isEmpty ? (nil, withoutInner(text)) : framed(text)
    return PackedText(headerSHA256: headerSHA256, frame: frame, body: body + told, unpackedLength: raw.count - headerLength)
  }

  private func withoutInner(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    var start = text.startIndex
    for inner in inner {
      rest += text[start..<inner.place.lowerBound]
      start = inner.place.upperBound
    }
    return rest + text[start...]
  }

  /// The payload without its values and without the texts inside it, and the values.
  private func framed(_ text: ArraySlice<UInt8>) -> (frame: [UInt8]?, values: [UInt8]) {
    var frame: [UInt8] = []
    var told: [UInt8] = []
    var start = text.startIndex
    var cut = inner[...]
    for value in values {
      frame += text[start..<value.lowerBound]
      start = value.upperBound
      if let first = cut.first, first.place == value {
        cut = cut.dropFirst()
        continue
      }
      frame.append(PackedText.separator)
      told += text[value]
      told.append(PackedText.separator)
    }
    return (frame + text[start...], told.dropLast())
  }
}

/// A piece of evidence without what is kept elsewhere.
///
/// The body: the number of the inner texts (4 bytes), the length of the signature (1), for each inner text where it stands in
/// the text without them (4) and its SHA-256 (32); then the signature and that text. What is signed is kept decoded, and
/// without what many payloads share: that is their frame, in which a separator stands for each value; the body has the values,
/// with separators between them. `sql/functions/evidence/evidence_text.sql` puts it together again.
public struct PackedText: Sendable {
  /// Names header and frame; nil when the signer is not known.
  public var headerKey: String?
  /// nil when the body holds the whole text.
  public var frame: [UInt8]?
  public var body: [UInt8]
  /// Of what `body` stands for; nil when it is that.
  public var unpackedLength: Int?

  /// A byte that no JSON text has: `JSONDocument` refuses it.
  static let separator: UInt8 = 0x1F
  /// Letters of a key: 96 bits tell apart what only Apple can sign.
  private static let keyLength = 24

  init(headerSHA256: String?, frame: [UInt8]? = nil, body: [UInt8], unpackedLength: Int?) {
    headerKey = headerSHA256.map { String(SHA256.hex(Array($0.utf8) + (frame ?? [])).prefix(Self.keyLength)) }
    self.frame = frame
    self.body = body
    self.unpackedLength = unpackedLength
  }
}

/// A number below 2^32 in four bytes.
private func bigEndian(_ number: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
