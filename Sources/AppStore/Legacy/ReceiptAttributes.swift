internal import Cryptography
internal import Domain
internal import Wording

/// The attributes of one SET. Each type in `names` occurs at most once; values that cannot be used are recorded.
struct ReceiptAttributes {
  /// Maximum number of attributes in one receipt with all its purchases; Apple's largest contain a few thousand purchases.
  static let countMax = 500_000
  /// Maximum number of bytes that a note shows of an unreadable value.
  static let shownBytesMax = 32

  /// Types with the octets of their values, encoded as the type requires.
  private(set) var all: [(type: Int64, value: [UInt8])] = []
  private(set) var unrecognized: [UnrecognizedValue] = []
  private let names: [Int64: String]

  /// Reads `SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
  ///
  /// - Parameters:
  ///   - names: Apple's names of the documented attributes.
  ///   - left: attributes that the receipt may still contain; reduced by the number read.
  /// - Source: Apple, Receipt Validation Programming Guide, "Receipt Fields".
  init(_ set: ArraySlice<UInt8>, names: [Int64: String], left: inout Int) throws(BERFault) {
    self.names = names
    var reader = BERReader(set)
    var seen: Set<Int64> = []
    while let element = try reader.next() {
      guard element.tag == BERElement.sequence else { throw BERFault(reason: "receipt.sequence") }
      left -= 1
      guard left >= 0 else { throw BERFault(reason: Phrase("receipt.attributes", ["max": .plain(Self.countMax)])) }
      var inner = BERReader(element.content)
      let type = try BERReader.integer(try inner.next(BERElement.integer))
      // The version has no meaning for the reader.
      _ = try BERReader.integer(try inner.next(BERElement.integer))
      guard let value = try inner.next(), inner.rest.isEmpty else {
        throw BERFault(reason: Phrase("receipt.parts", ["type": .plain(type)]))
      }
      if names[type] != nil, !seen.insert(type).inserted {
        throw BERFault(reason: Phrase("receipt.repeated", ["type": .plain(type)]))
      }
      all.append((type, Array(try BERReader.octets(value))))
    }
  }

  /// Returns a text; nil when the attribute is missing, empty or no text.
  mutating func text(_ type: Int64) -> String? {
    read(type) { (element) throws(BERFault) in
      guard element.tag == BERElement.utf8String || element.tag == BERElement.ia5String,
        let text = String(validating: element.content, as: UTF8.self),
        text.utf8.count <= PayloadFields.identifierBytesMax, Printable.isPlain(text)
      else { throw BERFault(reason: "receipt.short_text") }
      return text.isEmpty ? nil : text
    }
  }

  /// Returns a number; nil when the attribute is missing or no number.
  mutating func integer(_ type: Int64) -> Int64? {
    read(type) { (element) throws(BERFault) in
      guard element.tag == BERElement.integer else { throw BERFault(reason: "receipt.no_number") }
      return try BERReader.integer(element.content)
    }
  }

  /// Returns an instant from its text; nil when the attribute is missing, empty or no instant.
  mutating func instant(_ type: Int64) -> Timestamp? {
    guard let text = text(type) else { return nil }
    if let instant = Timestamp(logged: text) { return instant }
    note(type, text)
    return nil
  }

  /// Reads one attribute. An unreadable one is noted and counts as missing, so that the others stay usable.
  private mutating func read<Value>(_ type: Int64, _ body: (BERElement) throws(BERFault) -> Value?) -> Value? {
    guard let value = all.first(where: { $0.type == type })?.value else { return nil }
    do throws(BERFault) {
      return try body(try BERReader.single(value[...]))
    } catch {
      // Pages print the value, so its DER is shown in hexadecimal.
      let rest = value.count - Self.shownBytesMax
      note(type, "bytes \(Hexadecimal.text(Array(value.prefix(Self.shownBytesMax))))" + (rest > 0 ? " and \(rest) more" : ""))
      return nil
    }
  }

  private mutating func note(_ type: Int64, _ text: String) {
    let shown = Printable.text(String(text.prefix(UnrecognizedValue.valueCharactersMax)))
    unrecognized.append(UnrecognizedValue(field: names[type] ?? "attribute \(type)", value: shown))
  }
}
