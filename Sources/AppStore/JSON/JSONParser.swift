/// A strict JSON reader over bytes (RFC 8259): UTF-8, no repeated names, bounded depth.
///
/// A repeated name is refused because two readers would take different values from one signed text.
struct JSONParser {
  /// Deepest nesting; Apple's own payloads have five levels.
  private static let depthMax = 32
  /// Members up to which names are compared one by one; more are looked up in a set.
  private static let linearMembersMax = 48

  private let bytes: ArraySlice<UInt8>
  private var at: Int

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  /// Reads a whole text as one object.
  static func object(_ bytes: ArraySlice<UInt8>) throws(JSONFault) -> JSONObject {
    var parser = JSONParser(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.at += 3 }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.at == bytes.endIndex else { throw parser.fault("text goes on after its end") }
    guard case .object(let object) = value else { throw parser.fault("text is no object") }
    return object
  }

  private func fault(_ reason: String) -> JSONFault {
    JSONFault(reason: "\(reason) at byte \(at - bytes.startIndex)")
  }

  private var current: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth < Self.depthMax else { throw fault("nesting is deeper than \(Self.depthMax)") }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return .number(try number())
    case let digit? where (0x30...0x39).contains(digit): return .number(try number())
    case nil: throw fault("text ends too early")
    default: throw fault("unexpected character")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw fault("unexpected character") }
    at += word.utf8.count
    return value
  }

  private mutating func members(depth: Int) throws(JSONFault) -> JSONObject {
    at += 1
    var object = JSONObject()
    object.members.reserveCapacity(24)
    var names: Set<String> = []
    skipSpace()
    if current == UInt8(ascii: "}") {
      at += 1
      return object
    }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw fault("name of a member expected") }
      let name = try string()
      guard isNew(name, in: object, &names) else { throw fault("name \"\(name.prefix(60))\" is repeated") }
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw fault("colon expected") }
      at += 1
      object.members.append((name, try value(depth: depth + 1)))
      skipSpace()
      guard let next = current else { throw fault("text ends too early") }
      at += 1
      if next == UInt8(ascii: "}") { return object }
      guard next == UInt8(ascii: ",") else { throw fault("comma expected") }
    }
  }

  private func isNew(_ name: String, in object: JSONObject, _ names: inout Set<String>) -> Bool {
    if object.members.count < Self.linearMembersMax { return !object.members.contains { $0.name == name } }
    if names.isEmpty { names = Set(object.members.map(\.name)) }
    return names.insert(name).inserted
  }

  private mutating func elements(depth: Int) throws(JSONFault) -> [JSONValue] {
    at += 1
    var elements: [JSONValue] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      at += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      guard let next = current else { throw fault("text ends too early") }
      at += 1
      if next == UInt8(ascii: "]") { return elements }
      guard next == UInt8(ascii: ",") else { throw fault("comma expected") }
    }
  }

  private mutating func number() throws(JSONFault) -> String {
    let start = at
    if current == UInt8(ascii: "-") { at += 1 }
    if current == UInt8(ascii: "0") { at += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      at += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      at += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { at += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits() throws(JSONFault) {
    let start = at
    while let byte = current, (0x30...0x39).contains(byte) { at += 1 }
    guard at > start else { throw fault("digit expected") }
  }

  /// Reads a string; without escapes its bytes are taken in one piece.
  private mutating func string() throws(JSONFault) -> String {
    at += 1
    let start = at
    while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { at += 1 }
    if current == UInt8(ascii: "\"") {
      let text = try decoded(bytes[start..<at])
      at += 1
      return text
    }
    return try escapedString(from: start)
  }

  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    var text = Array(bytes[start..<at])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let whole = try decoded(text[...])
        at += 1
        return whole
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw fault("control character in a string")
      default:
        text.append(byte)
        at += 1
      }
    }
    throw fault("string has no end")
  }

  private func decoded(_ slice: ArraySlice<UInt8>) throws(JSONFault) -> String {
    guard let text = String(validating: slice, as: UTF8.self) else { throw fault("text is not UTF-8") }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    at += 1
    guard let byte = current else { throw fault("string has no end") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(Character(try scalar())).utf8)
    default: throw fault("escape is not of JSON")
    }
  }

  private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
    let high = try hexadecimal()
    var code = UInt32(high)
    if (0xD800..<0xDC00).contains(high) {
      guard current == UInt8(ascii: "\\"), at + 1 < bytes.endIndex, bytes[at + 1] == UInt8(ascii: "u") else {
        throw fault("half of a surrogate pair")
      }
      at += 2
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a surrogate pair") }
      code = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
    guard at + 4 <= bytes.endIndex, let text = String(validating: bytes[at..<(at + 4)], as: UTF8.self),
      text.allSatisfy(\.isHexDigit), let value = UInt16(text, radix: 16)
    else { throw fault("four hexadecimal digits expected") }
    at += 4
    return value
  }
}
