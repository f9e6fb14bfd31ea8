internal import Wording

/// The reason why bytes are not the expected BER.
struct BERFault: Error {
  var reason: Phrase
}

/// One BER element: tag, length and value.
///
/// - Source: ITU-T X.690, 8.1.
struct BERElement {
  static let integer: UInt8 = 0x02
  static let octetString: UInt8 = 0x04
  static let utf8String: UInt8 = 0x0C
  static let ia5String: UInt8 = 0x16
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31
  static let constructedOctetString: UInt8 = 0x24

  /// Identifier octet; only tags below 31 are supported.
  var tag: UInt8
  /// Contents without the end mark of an indefinite length.
  var content: ArraySlice<UInt8>
}

/// Reads BER elements of definite and of indefinite length.
struct BERReader {
  /// Maximum nesting of indefinite lengths and of constructed strings.
  private static let depthMax = 16

  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  static func single(_ bytes: ArraySlice<UInt8>) throws(BERFault) -> BERElement {
    var reader = BERReader(bytes)
    guard let element = try reader.next() else { throw BERFault(reason: "receipt.missing") }
    guard reader.rest.isEmpty else { throw BERFault(reason: "receipt.goes_on") }
    return element
  }

  /// Returns the next element; nil at the end.
  mutating func next() throws(BERFault) -> BERElement? { rest.isEmpty ? nil : try element(depth: 0) }

  /// Returns the content of the next element, which must have the tag.
  mutating func next(_ tag: UInt8) throws(BERFault) -> ArraySlice<UInt8> {
    guard let element = try next(), element.tag == tag else { throw BERFault(reason: Phrase("receipt.tag", ["tag": .plain(tag)])) }
    return element.content
  }

  private mutating func byte() throws(BERFault) -> UInt8 {
    guard let byte = rest.popFirst() else { throw BERFault(reason: "receipt.early") }
    return byte
  }

  private mutating func element(depth: Int) throws(BERFault) -> BERElement {
    guard depth < Self.depthMax else { throw BERFault(reason: Phrase("json.deep", ["max": .plain(Self.depthMax)])) }
    let tag = try byte()
    guard tag & 0x1F != 0x1F else { throw BERFault(reason: "receipt.octets") }
    let first = try byte()
    if first == 0x80 { return try indefinite(tag: tag, depth: depth) }
    var length = Int(first)
    if first > 0x80 {
      guard first <= 0x84 else { throw BERFault(reason: "receipt.length") }
      length = 0
      for _ in 0..<(first & 0x7F) { length = length << 8 | Int(try byte()) }
    }
    guard length <= rest.count else { throw BERFault(reason: "receipt.early") }
    let content = rest.prefix(length)
    rest = rest.dropFirst(length)
    return BERElement(tag: tag, content: content)
  }

  private mutating func indefinite(tag: UInt8, depth: Int) throws(BERFault) -> BERElement {
    guard tag & 0x20 != 0 else { throw BERFault(reason: "receipt.no_length") }
    let whole = rest
    while true {
      guard rest.count >= 2 else { throw BERFault(reason: "receipt.no_end") }
      if rest.starts(with: [0, 0]) {
        let content = whole[whole.startIndex..<rest.startIndex]
        rest = rest.dropFirst(2)
        return BERElement(tag: tag, content: content)
      }
      _ = try element(depth: depth + 1)
    }
  }

  /// Returns the octets of an OCTET STRING; the parts of a constructed one are joined.
  static func octets(_ element: BERElement, depth: Int = 0) throws(BERFault) -> ArraySlice<UInt8> {
    if element.tag == BERElement.octetString { return element.content }
    guard element.tag == BERElement.constructedOctetString, depth < depthMax else {
      throw BERFault(reason: "receipt.octet_string")
    }
    var whole: [UInt8] = []
    var reader = BERReader(element.content)
    while let part = try reader.next() { whole += try octets(part, depth: depth + 1) }
    return whole[...]
  }

  /// Returns a signed number of up to 64 bits.
  static func integer(_ content: ArraySlice<UInt8>) throws(BERFault) -> Int64 {
    guard let first = content.first, content.count <= 8 else {
      throw BERFault(reason: Phrase("receipt.number", ["count": .plain(content.count)]))
    }
    var value: Int64 = first & 0x80 == 0 ? 0 : -1
    for byte in content { value = value << 8 | Int64(byte) }
    return value
  }
}

extension BERReader {
  /// Maximum nesting that `isCountable` follows.
  private static let countedDepthMax = 64

  /// Returns whether the bytes are BER with at most `elementsMax` elements at all depths. Nothing is stored.
  static func isCountable(_ bytes: [UInt8], elementsMax: Int) -> Bool {
    // Ends of the open elements; for one of indefinite length, the end of the bytes.
    var ends: [(at: Int, isIndefinite: Bool)] = []
    var at = 0
    var count = 0
    while true {
      while let last = ends.last, !last.isIndefinite, at == last.at { ends.removeLast() }
      if at == bytes.count { return ends.isEmpty }
      let limit = ends.last?.at ?? bytes.count
      count += 1
      guard count <= elementsMax, at + 2 <= limit else { return false }
      if ends.last?.isIndefinite == true, bytes[at] == 0, bytes[at + 1] == 0 {
        ends.removeLast()
        at += 2
        continue
      }
      guard let element = header(bytes, at, limit) else { return false }
      at = element.content
      guard element.isConstructed else {
        guard let length = element.length else { return false }
        at += length
        continue
      }
      guard ends.count < countedDepthMax else { return false }
      ends.append((element.length.map { at + $0 } ?? limit, element.length == nil))
    }
  }

  /// Returns the start and the length of an element's content; the length is nil when it is indefinite.
  private static func header(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (content: Int, length: Int?, isConstructed: Bool)? {
    let isConstructed = bytes[start] & 0x20 != 0
    var at = start + 1
    if bytes[start] & 0x1F == 0x1F {
      while at < limit, bytes[at] & 0x80 != 0 { at += 1 }
      at += 1
    }
    guard at < limit else { return nil }
    let first = bytes[at]
    at += 1
    if first == 0x80 { return isConstructed ? (at, nil, true) : nil }
    guard first > 0x80 else { return at + Int(first) <= limit ? (at, Int(first), isConstructed) : nil }
    let octets = Int(first & 0x7F)
    guard octets <= 8, at + octets <= limit else { return nil }
    var length = 0
    for offset in 0..<octets {
      guard length <= limit >> 8 else { return nil }
      length = length << 8 | Int(bytes[at + offset])
    }
    at += octets
    return at + length <= limit ? (at, length, isConstructed) : nil
  }
}
