internal import FoundationEssentials

/// A JSON value of requests and answers.
///
/// Independent of module JSON, which reads and writes the other side of each exchange: an error in one of them cannot cancel out.
public indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case array([JSONValue])
  /// Members in the order of the text.
  case object([Member])

  public struct Member: Sendable, Hashable {
    public var name: String
    public var value: JSONValue
  }

  /// Reads JSON text. Returns nil when it is invalid.
  public static func parse(_ bytes: [UInt8]) -> JSONValue? {
    (try? JSONDecoder().decode(Decoded.self, from: Data(bytes)))?.value
  }

  /// Returns an object without the members whose value is nil.
  static func members(_ pairs: (String, JSONValue?)...) -> JSONValue { members(pairs) }

  static func members(_ pairs: [(String, JSONValue?)]) -> JSONValue {
    .object(pairs.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// Returns the value of a member; nil when this is no object or the member is missing.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// A whole number; nil for a fraction or another type.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue {
  /// Compact JSON text in UTF-8.
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += Array("null".utf8)
    case .bool(let flag): output += Array((flag ? "true" : "false").utf8)
    case .integer(let number): output += Array(String(number).utf8)
    case .number(let number): output += Array("\(number)".utf8)
    case .text(let text): Self.write(text, to: &output)
    case .array(let values):
      output.append(0x5B)
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(0x2C) }
        value.write(to: &output)
      }
      output.append(0x5D)
    case .object(let members):
      output.append(0x7B)
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(0x2C) }
        Self.write(member.name, to: &output)
        output.append(0x3A)
        member.value.write(to: &output)
      }
      output.append(0x7D)
    }
  }

  /// Writes a JSON string.
  ///
  /// - Source: RFC 8259, 7.
  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(0x22)
    // Most texts are identifiers or signatures without escapes: copy them at once.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
      output.append(contentsOf: text.utf8)
    } else {
      let digits = Array("0123456789abcdef".utf8)
      for byte in text.utf8 {
        switch byte {
        case 0x22, 0x5C: output += [0x5C, byte]
        case 0..<0x20: output += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: output.append(byte)
        }
      }
    }
    output.append(0x22)
  }

  /// Decodes any JSON value by trying the types in turn.
  private struct Decoded: Decodable {
    let value: JSONValue

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      if let object = try? decoder.container(keyedBy: Name.self) {
        let names = object.allKeys.sorted { $0.stringValue < $1.stringValue }
        value = .object(try names.map { Member(name: $0.stringValue, value: try object.decode(Decoded.self, forKey: $0).value) })
        return
      }
      if var list = try? decoder.unkeyedContainer() {
        var values: [JSONValue] = []
        while !list.isAtEnd { values.append(try list.decode(Decoded.self).value) }
        value = .array(values)
        return
      }
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .null
      } else if let flag = try? single.decode(Bool.self) {
        value = .bool(flag)
      } else if let number = try? single.decode(Int64.self) {
        value = .integer(number)
      } else if let number = try? single.decode(Double.self) {
        value = .number(number)
      } else {
        value = .text(try single.decode(String.self))
      }
    }
  }
}
