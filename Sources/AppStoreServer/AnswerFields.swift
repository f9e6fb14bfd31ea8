internal import JSON

/// Content that can be read from an answer's body.
protocol APIContent: Sendable {
  init(_ fields: AnswerFields) throws(AnswerFault)
}

/// The reason why a body is not the requested answer.
struct AnswerFault: Error {
  var reason: String
}

/// Typed access to an answer. A member of another type counts as missing.
struct AnswerFields {
  private let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func text(_ name: String) -> String? { object.string(name) }

  func signed(_ name: String) -> SignedText? { text(name).map { SignedText(text: $0) } }

  func integer(_ name: String) -> Int64? {
    if case .number(let digits)? = object[name] { Int64(digits) } else { nil }
  }

  /// Returns a Boolean, also one that is written as 0 or 1.
  func flag(_ name: String) -> Bool? {
    switch object[name] {
    case .bool(let flag)?: flag
    case .number("1")?: true
    case .number("0")?: false
    default: nil
    }
  }

  /// Returns a list of signed texts without elements of another type; nil when there is no list.
  func signedList(_ name: String) -> [SignedText]? {
    list(name)?.compactMap { if case .string(let text) = $0 { SignedText(text: text) } else { nil } }
  }

  /// Returns a list of objects without elements of another type; nil when there is no list.
  func objects<Element>(_ name: String, _ make: (AnswerFields) -> Element) -> [Element]? {
    list(name)?.compactMap { if case .object(let object) = $0 { make(AnswerFields(object)) } else { nil } }
  }

  private func list(_ name: String) -> JSONArray? {
    if case .array(let elements)? = object[name] { elements } else { nil }
  }

  /// Returns the list of a page. A page may lack its list only when `hasMore` is false.
  static func page<Element>(_ list: [Element]?, _ name: String, hasMore: Bool?) throws(AnswerFault) -> [Element] {
    if let list { return list }
    guard hasMore == false else { throw AnswerFault(reason: "it has no list \"\(name)\"") }
    return []
  }
}
