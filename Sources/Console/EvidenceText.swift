internal import FoundationEssentials
internal import JSON

/// Decoded signed texts as names and values.
enum EvidenceText {
  struct Claim: Equatable {
    /// Path of the signed text that contains the claim, for nested texts.
    var part: String
    var name: String
    var value: String
  }

  /// Returns the claims without headers, certificates and signatures; empty if the bytes are neither signed text nor JSON.
  static func claims(of bytes: [UInt8]) -> [Claim] {
    var claims: [Claim] = []
    read(bytes, part: "signed", depth: 0, &claims)
    return Array(claims.prefix(ConsoleLimits.claimsMax))
  }

  private static func read(_ bytes: [UInt8], part: String, depth: Int, _ claims: inout [Claim]) {
    guard depth < ConsoleLimits.nestingMax, claims.count < ConsoleLimits.claimsMax else { return }
    let text = payload(of: bytes) ?? bytes
    guard let object = try? JSONObject(parsing: text[...]) else { return }
    walk(.object(object), name: "", part: part, depth: depth, &claims)
  }

  private static func walk(_ value: JSONValue, name: String, part: String, depth: Int, _ claims: inout [Claim]) {
    guard claims.count < ConsoleLimits.claimsMax else { return }
    func add(_ text: String) { claims.append(Claim(part: part, name: name, value: text)) }
    switch value {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .number(let digits): add(digits)
    case .string(let text):
      guard payload(of: Array(text.utf8)) != nil else { return add(text) }
      add("(signed, decoded below)")
      read(Array(text.utf8), part: name, depth: depth + 1, &claims)
    case .array(let list):
      for (index, element) in list.enumerated() {
        walk(element, name: "\(name)[\(index)]", part: part, depth: depth, &claims)
      }
    case .object(let object):
      for member in object.members {
        walk(member.value, name: name.isEmpty ? member.name : "\(name).\(member.name)", part: part, depth: depth, &claims)
      }
    }
  }

  /// Returns the decoded payload of a compact JWS; nil for anything else.
  ///
  /// - Source: RFC 7515, 7.1.
  private static func payload(of bytes: [UInt8]) -> [UInt8]? {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].starts(with: Array("eyJ".utf8)) else { return nil }
    var text = String(decoding: parts[1], as: UTF8.self).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    while text.count % 4 != 0 { text.append("=") }
    return Data(base64Encoded: String(text)).map { Array($0) }
  }
}
