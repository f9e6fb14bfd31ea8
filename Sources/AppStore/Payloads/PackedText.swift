internal import Cryptography
internal import Domain
internal import JSON

/// A signed text nested in another one; it is separate evidence.
struct InnerText: Sendable {
  /// Range in the decoded payload of a signed parent, or in the text of an unsigned parent.
  var range: Range<Int>
  var sha256: String
}

extension EvidenceItem {
  /// Records the nested items whose bytes appear unchanged in the text and are stored in any case.
  ///
  /// - Parameters:
  ///   - items: items read from the text.
  ///   - text: decoded payload of a signed item, or the text of an unsigned one.
  mutating func noteInner(_ items: some Sequence<EvidenceItem>, in text: ArraySlice<UInt8>) {
    let own = items.filter { $0.parentSHA256 == sha256 && $0.verdict == .genuine && $0.headerLength > 0 }
    var end = text.startIndex
    for item in own.sorted(by: { $0.raw.startIndex < $1.raw.startIndex }) {
      let range = item.raw.startIndex..<item.raw.endIndex
      // A text with escapes was copied while it was unescaped, so it does not occur in `text`.
      guard range.lowerBound >= end, range.upperBound <= text.endIndex, text[range] == item.raw else { continue }
      inner.append(InnerText(range: range, sha256: item.sha256))
      end = range.upperBound
    }
  }

  /// Records the ranges in the decoded payload of the values that vary between items.
  mutating func noteValues(_ payload: JSONObject) {
    guard verdict == .genuine else { return }
    let ranges = payload.valueRanges { !Self.namesOfFewValues.contains($0) }
    if ranges.count <= Self.valuesMax { values = ranges }
  }

  /// Apple's fields with few possible values; they stay in the frame that many payloads share.
  private static let namesOfFewValues: Set = [
    "appAppleId", "autoRenewStatus", "bundleId", "deviceVerification", "environment", "expirationIntent", "inAppOwnershipType",
    "isInBillingRetryPeriod", "isUpgraded", "notificationType", "offerDiscountType", "offerType", "originalPlatform",
    "priceIncreaseStatus", "quantity", "receiptType", "revocationReason", "status", "subtype", "transactionReason", "type",
    "version",
  ]

  /// Maximum number of values separated from the frame; Apple's payloads have about twenty.
  private static let valuesMax = 64

  /// Returns the part of the item that must be stored besides its header and its nested items.
  public func packed() -> PackedText {
    let signed = headerLength > 0 ? packedSigned() : inner.isEmpty ? nil : packed(raw, signature: [])
    let whole = raw.dropFirst(headerLength)
    return signed ?? PackedText(headerSHA256: headerSHA256, body: Array(whole), unpackedLength: nil)
  }

  private func packedSigned() -> PackedText? {
    guard let jws = CompactJWS(raw), jws.header.count == headerLength, Base64.isCanonicalURL(jws.payload),
      Base64.isCanonicalURL(jws.signature), let payload = Base64.decodeURL(jws.payload),
      let signature = Base64.decodeURL(jws.signature), !signature.isEmpty, signature.count <= UInt8.max
    else { return nil }
    return packed(payload[...], signature: signature)
  }

  private func packed(_ text: ArraySlice<UInt8>, signature: [UInt8]) -> PackedText {
    var body = bigEndian(inner.count) + [UInt8(signature.count)]
    var cutCount = 0
    for inner in inner {
      body += bigEndian(inner.range.lowerBound - text.startIndex - cutCount) + Hexadecimal.bytes(inner.sha256)
      cutCount += inner.range.count
    }
    body += signature
    let (frame, separated) = values.isEmpty ? (nil, withoutInner(text)) : framed(text)
    return PackedText(headerSHA256: headerSHA256, frame: frame, body: body + separated, unpackedLength: raw.count - headerLength)
  }

  private func withoutInner(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var rest: [UInt8] = []
    var start = text.startIndex
    for inner in inner {
      rest += text[start..<inner.range.lowerBound]
      start = inner.range.upperBound
    }
    return rest + text[start...]
  }

  /// Splits the payload, without nested texts, into its frame and its values.
  private func framed(_ text: ArraySlice<UInt8>) -> (frame: [UInt8]?, values: [UInt8]) {
    var frame: [UInt8] = []
    var separated: [UInt8] = []
    var start = text.startIndex
    var cut = inner[...]
    for value in values {
      frame += text[start..<value.lowerBound]
      start = value.upperBound
      if let first = cut.first, first.range == value {
        cut = cut.dropFirst()
        continue
      }
      frame.append(PackedText.separator)
      separated += text[value]
      separated.append(PackedText.separator)
    }
    return (frame + text[start...], separated.dropLast())
  }
}

/// A piece of evidence without the parts that are stored elsewhere.
///
/// The body consists of:
/// - the number of nested texts (4 bytes) and the length of the signature (1 byte);
/// - per nested text, its position in the text without them (4 bytes) and its SHA-256 (32 bytes);
/// - the signature and the remaining text.
///
/// A signed payload is stored decoded. Its frame, which many payloads share, has separators in place of the values. The body has the
/// values between separators. `sql/functions/evidence/evidence_text.sql` restores the text.
public struct PackedText: Sendable {
  /// Key of header and frame; nil when the signer is not known.
  public var headerKey: String?
  /// nil when the body contains the whole text.
  public var frame: [UInt8]?
  public var body: [UInt8]
  /// Length of the text that `body` was packed from; nil when `body` is the text itself.
  public var unpackedLength: Int?

  /// A byte that cannot occur in JSON text: `JSONDocument` rejects it.
  static let separator: UInt8 = 0x1F
  /// Hexadecimal digits of a key. 96 bits suffice, because only Apple can sign the hashed texts.
  private static let keyLength = 24

  init(headerSHA256: String?, frame: [UInt8]? = nil, body: [UInt8], unpackedLength: Int?) {
    headerKey = headerSHA256.map { String(SHA256.hex(Array($0.utf8) + (frame ?? [])).prefix(Self.keyLength)) }
    self.frame = frame
    self.body = body
    self.unpackedLength = unpackedLength
  }
}

/// Returns a number below 2^32 as four bytes.
private func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
