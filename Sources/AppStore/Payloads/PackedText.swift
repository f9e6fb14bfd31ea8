internal import Cryptography
internal import Domain

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

  /// What of it has to be kept beside its header and the items inside it; nil when all of it has.
  ///
  /// The number of the inner texts (4 bytes), the length of the signature (1), for each inner text where it stands in the
  /// text without them (4) and its SHA-256 (32); then the signature and that text. What is signed is kept decoded.
  /// `sql/functions/evidence_text.sql` puts it together again.
  public func packed() -> [UInt8]? {
    if headerLength > 0 { return packedSigned() }
    return inner.isEmpty ? nil : packed(raw, signature: [])
  }

  private func packedSigned() -> [UInt8]? {
    guard let jws = CompactJWS(raw), jws.header.count == headerLength, Base64.isOnlyText(jws.payload),
      Base64.isOnlyText(jws.signature), let payload = Base64.decodeURL(jws.payload),
      let signature = Base64.decodeURL(jws.signature), !signature.isEmpty, signature.count <= UInt8.max
    else { return nil }
    return packed(payload[...], signature: signature)
  }

  private func packed(_ text: ArraySlice<UInt8>, signature: [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    var rest: [UInt8] = []
    rest.reserveCapacity(text.count)
    var start = text.startIndex
    for inner in inner {
      rest += text[start..<inner.place.lowerBound]
      start = inner.place.upperBound
      head += bigEndian(rest.count) + Hexadecimal.bytes(inner.sha256)
    }
    rest += text[start...]
    return bigEndian(inner.count) + [UInt8(signature.count)] + head + signature + rest
  }
}

/// A number below 2^32 in four bytes.
private func bigEndian(_ number: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
