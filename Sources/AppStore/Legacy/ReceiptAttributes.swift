internal import Domain

/// An attribute of an app receipt, or of an in-app purchase in it.
public struct ReceiptAttribute: Hashable, Sendable {
  public var type: Int64
  public var version: Int64
  /// Octets of the value; what they encode depends on the type.
  public var value: [UInt8]
}

/// Attributes of one SET, each type of `single` at most once.
struct ReceiptAttributes {
  /// Attributes of one set; Apple's largest receipts hold a few thousand purchases.
  static let countMax = 100_000

  private(set) var all: [ReceiptAttribute] = []

  /// Reads `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
  ///
  /// - Source: Apple, Receipt Validation Programming Guide, "Receipt Fields".
  init(_ set: ArraySlice<UInt8>, single: Set<Int64>) throws(BERFault) {
    var reader = BERReader(set)
    var seen: Set<Int64> = []
    while let element = try reader.next() {
      guard element.tag == BERElement.sequence else { throw BERFault(reason: "an attribute is no SEQUENCE") }
      guard all.count < Self.countMax else { throw BERFault(reason: "there are more than \(Self.countMax) attributes") }
      var inner = BERReader(element.content)
      let type = try BERReader.integer(try inner.next(BERElement.integer))
      let version = try BERReader.integer(try inner.next(BERElement.integer))
      guard let value = try inner.next(), inner.rest.isEmpty else {
        throw BERFault(reason: "attribute \(type) does not have three parts")
      }
      if single.contains(type), !seen.insert(type).inserted {
        throw BERFault(reason: "attribute \(type) is repeated")
      }
      all.append(ReceiptAttribute(type: type, version: version, value: Array(try BERReader.octets(value))))
    }
  }

  subscript(type: Int64) -> [UInt8]? { all.first { $0.type == type }?.value }

  /// A text; nil when the attribute is missing or empty.
  func text(_ type: Int64) throws(BERFault) -> String? {
    guard let value = self[type] else { return nil }
    let element = try BERReader.single(value[...])
    guard element.tag == BERElement.utf8String || element.tag == BERElement.ia5String,
      let text = String(validating: element.content, as: UTF8.self),
      text.utf8.count <= PayloadFields.identifierBytesMax, Printable.isPlain(text)
    else { throw BERFault(reason: "attribute \(type) is no short text") }
    return text.isEmpty ? nil : text
  }

  func integer(_ type: Int64) throws(BERFault) -> Int64? {
    guard let value = self[type] else { return nil }
    let element = try BERReader.single(value[...])
    guard element.tag == BERElement.integer else { throw BERFault(reason: "attribute \(type) is no number") }
    return try BERReader.integer(element.content)
  }

  /// An RFC 3339 instant; nil when the attribute is missing or empty.
  func instant(_ type: Int64) throws(BERFault) -> Timestamp? {
    guard let text = try text(type) else { return nil }
    guard let instant = Timestamp(rfc3339: text) else {
      throw BERFault(reason: "attribute \(type) is no RFC 3339 instant")
    }
    return instant
  }
}
