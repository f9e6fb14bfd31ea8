internal import Cryptography
internal import JSON

/// Decoded signed texts as names and values.
enum EvidenceText {
  struct Field: Equatable {
    /// Path of the signed text that contains the field, for nested texts.
    var part: String
    var name: String
    var value: String
  }

  /// Returns the fields without headers, certificates and signatures; empty if the bytes are neither signed text nor JSON.
  static func fields(of bytes: [UInt8]) -> [Field] {
    var fields: [Field] = []
    read(bytes, part: "signed", depth: 0, &fields)
    return Array(fields.prefix(ConsoleLimits.evidenceFieldsMax))
  }

  private static func read(_ bytes: [UInt8], part: String, depth: Int, _ fields: inout [Field]) {
    guard depth < ConsoleLimits.nestingMax, fields.count < ConsoleLimits.evidenceFieldsMax else { return }
    let text = payload(of: bytes) ?? bytes
    guard let object = try? JSONObject(parsing: text[...]) else { return }
    walk(.object(object), name: "", part: part, depth: depth, &fields)
  }

  private static func walk(_ value: JSONValue, name: String, part: String, depth: Int, _ fields: inout [Field]) {
    guard fields.count < ConsoleLimits.evidenceFieldsMax else { return }
    func add(_ text: String) { fields.append(Field(part: part, name: name, value: text)) }
    switch value {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .number(let digits): add(digits)
    case .string(let text):
      guard payload(of: Array(text.utf8)) != nil else { return add(text) }
      add("(signed, decoded below)")
      read(Array(text.utf8), part: name, depth: depth + 1, &fields)
    case .array(let list):
      for (index, element) in list.enumerated() {
        walk(element, name: "\(name)[\(index)]", part: part, depth: depth, &fields)
      }
    case .object(let object):
      for member in object.members {
        walk(member.value, name: name.isEmpty ? member.name : "\(name).\(member.name)", part: part, depth: depth, &fields)
      }
    }
  }

  /// Returns the decoded payload of a compact JWS (RFC 7515, 7.1); nil for anything else.
  private static func payload(of bytes: [UInt8]) -> [UInt8]? {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].starts(with: Array("eyJ".utf8)) else { return nil }
    return Base64.decodeURL(parts[1])
  }

  /// Certificates of a chain that are read. Apple's chains have three.
  private static let chainMax = 8

  /// Returns the certificates in the header of a compact JWS (RFC 7515, 4.1.6), the signer's first; empty for anything else.
  static func chain(of bytes: [UInt8]) -> [Certificate] {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard payload(of: bytes) != nil, let header = Base64.decodeURL(parts[0]), let object = try? JSONObject(parsing: header[...]),
      case .array(let list)? = object["x5c"]
    else { return [] }
    return list.prefix(chainMax).compactMap { element in
      guard case .string(let text) = element, let der = Base64.decodeStandard(Array(text.utf8)[...]) else { return nil }
      return Certificate(der: der)
    }
  }
}
