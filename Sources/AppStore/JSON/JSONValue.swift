/// A JSON value; numbers stay text, because money and identifiers must not pass through floating point.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// Members of a JSON object in the order of the text; names are distinct.
public struct JSONObject: Sendable {
  public var members: [(name: String, value: JSONValue)]

  public init(members: [(name: String, value: JSONValue)] = []) { self.members = members }

  /// A member's value; nil when there is none.
  public subscript(name: String) -> JSONValue? {
    for member in members where member.name == name { return member.value }
    return nil
  }

  /// Text of a member; nil when it is missing or no string.
  func string(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// A member that is an object itself.
  func object(_ name: String) -> JSONObject? {
    if case .object(let object)? = self[name] { object } else { nil }
  }
}

extension JSONObject {
  /// Reads a whole UTF-8 text that is one object; repeated names and deep nesting are refused.
  ///
  /// - Source: RFC 8259.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONFault) { self = try JSONParser.object(bytes) }
}

/// Why a text is no JSON that payrecon takes.
public struct JSONFault: Error, Sendable {
  /// Reason in a few words, with the byte offset.
  public var reason: String
}
