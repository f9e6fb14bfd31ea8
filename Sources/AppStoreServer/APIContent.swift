internal import HTTP
internal import JSON

/// Content that can be read from an answer's body.
protocol APIContent: Sendable {
  init(_ object: JSONObject) throws(AnswerFault)
}

/// No content: the HTTP status is the whole answer.
struct NoContent: APIContent {
  init(_ object: JSONObject) throws(AnswerFault) {}
}

/// The reason why a body is not the requested answer.
struct AnswerFault: Error {
  var reason: String
}

/// Members of an answer. A member of another type counts as missing.
extension JSONObject {
  func signed(_ name: String) -> SignedText? { string(name).map { SignedText(text: $0) } }

  /// Returns a Boolean, also one that is written as text, or as 0 or 1.
  func flag(_ name: String) -> Bool? {
    switch self[name] {
    case .bool(let flag)?: flag
    case .number("1")?, .string("true")?: true
    case .number("0")?, .string("false")?: false
    default: nil
    }
  }

  /// Returns a list of signed texts; nil when there is no list.
  ///
  /// - Throws: `AnswerFault` for an element of another type, whose transaction would be lost.
  func signedList(_ name: String) throws(AnswerFault) -> [SignedText]? {
    guard let list = array(name) else { return nil }
    var texts: [SignedText] = []
    for element in list {
      guard case .string(let text) = element else { throw AnswerFault(reason: "its list \"\(name)\" has an element that is no text") }
      texts.append(SignedText(text: text))
    }
    return texts
  }

  /// Returns a list of objects without elements of another type; nil when there is no list.
  func objects<Element>(_ name: String, _ make: (JSONObject) -> Element) -> [Element]? {
    array(name)?.compactMap { if case .object(let object) = $0 { make(object) } else { nil } }
  }

  /// Returns a list of an answer, which may be empty.
  ///
  /// - Throws: `AnswerFault` if it is missing: a part of the answer was lost, and with it perhaps a refund.
  static func required<Element>(_ list: [Element]?, _ name: String) throws(AnswerFault) -> [Element] {
    guard let list else { throw AnswerFault(reason: "it has no list \"\(name)\"") }
    return list
  }
}

extension HTTPResponse {
  static let pageReason = "it is an HTML page, perhaps of a proxy"

  /// Whether the body is an HTML page, which Apple never sends with a successful status.
  var isPage: Bool {
    headers["content-type"]?.lowercased().hasPrefix("text/html") == true || body.first { $0 > 0x20 } == UInt8(ascii: "<")
  }
}
