/// Where the values of a JSON text stand, for texts that `JSONParser` took.
struct JSONSpans {
  private let bytes: ArraySlice<UInt8>
  private var at: Int

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at += 3 }
    skipSpace()
  }

  /// Members of an object with the bytes of their values; empty when the bytes are no object.
  static func members(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
    var spans = JSONSpans(bytes)
    var found: [(name: String, value: ArraySlice<UInt8>)] = []
    guard spans.take("{") else { return [] }
    while spans.current == UInt8(ascii: "\"") {
      let name = spans.value()
      guard spans.take(":") else { break }
      found.append((decodedName(name), spans.value()))
      guard spans.take(",") else { break }
    }
    return found
  }

  /// Bytes of the elements of a list; empty when the bytes are no list.
  static func elements(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var spans = JSONSpans(bytes)
    var found: [ArraySlice<UInt8>] = []
    guard spans.take("["), spans.current != UInt8(ascii: "]") else { return [] }
    while spans.current != nil {
      found.append(spans.value())
      guard spans.take(",") else { break }
    }
    return found
  }

  /// Bytes of one member's value; nil when there is none.
  static func member(_ name: String, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    members(bytes).first { $0.name == name }?.value
  }

  private static func decodedName(_ quoted: ArraySlice<UInt8>) -> String {
    let plain = quoted.dropFirst().dropLast()
    guard plain.contains(UInt8(ascii: "\\")) else { return String(decoding: plain, as: UTF8.self) }
    let object = try? JSONParser.object((Array("{".utf8) + quoted + Array(":0}".utf8))[...])
    return object?.members.first?.name ?? ""
  }

  private var current: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard current == UInt8(ascii: character) else { return false }
    at += 1
    skipSpace()
    return true
  }

  /// Passes over one value.
  private mutating func value() -> ArraySlice<UInt8> {
    skipSpace()
    let start = at
    var depth = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        skipString()
        if depth == 0 { return bytes[start..<at] }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return trimmed(start) }
        depth -= 1
        if depth == 0 {
          at += 1
          return bytes[start..<at]
        }
      case UInt8(ascii: ","):
        if depth == 0 { return trimmed(start) }
      default: break
      }
      at += 1
    }
    return trimmed(start)
  }

  private func trimmed(_ start: Int) -> ArraySlice<UInt8> {
    var end = at
    while end > start, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }

  private mutating func skipString() {
    at += 1
    while let byte = current, byte != UInt8(ascii: "\"") { at += byte == UInt8(ascii: "\\") ? 2 : 1 }
    at = min(at + 1, bytes.endIndex)
  }
}
