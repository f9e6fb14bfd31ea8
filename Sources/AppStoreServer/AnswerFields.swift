internal import Domain
internal import JSON

/// Content that can be read from an answer's body.
protocol APIContent: Sendable {
  init(_ fields: inout AnswerFields) throws(AnswerFault)
}

/// The reason why a body is not the requested answer.
struct AnswerFault: Error {
  var reason: String
}

/// Typed access to an answer that records every member it cannot use.
struct AnswerFields {
  private let object: JSONObject
  private let path: String
  private var taken: Set<String> = []
  private(set) var unread: [UnreadValue] = []

  init(_ object: JSONObject, path: String = "") {
    self.object = object
    self.path = path
  }

  /// Returns a member; nil when it is missing or null.
  private mutating func take(_ name: String) -> JSONValue? {
    taken.insert(name)
    switch object[name] {
    case nil, .null?: return nil
    case let value?: return value
    }
  }

  private mutating func note(_ name: String, _ value: JSONValue?) {
    unread.append(UnreadValue(path: path + name, value: value))
  }

  mutating func text(_ name: String) -> String? {
    guard let value = take(name) else { return nil }
    if case .string(let text) = value { return text }
    note(name, value)
    return nil
  }

  /// Returns a word of a closed list; a word that is not listed is noted and still returned.
  mutating func word(_ name: String, of list: Set<String>) -> String? {
    guard let word = text(name) else { return nil }
    if !list.contains(word) { note(name, .string(word)) }
    return word
  }

  mutating func signed(_ name: String) -> SignedText? { text(name).map { SignedText(text: $0) } }

  mutating func integer(_ name: String) -> Int64? {
    guard let value = take(name) else { return nil }
    if case .number(let digits) = value, let number = Int64(digits) { return number }
    note(name, value)
    return nil
  }

  /// Returns a number of a closed list; a number that is not listed is noted and still returned.
  mutating func number(_ name: String, of list: ClosedRange<Int64>) -> Int64? {
    guard let number = integer(name) else { return nil }
    if !list.contains(number) { note(name, .number(String(number))) }
    return number
  }

  mutating func flag(_ name: String) -> Bool? {
    guard let value = take(name) else { return nil }
    switch value {
    case .bool(let flag): return flag
    case .number("1"), .number("0"):
      note(name, value)
      if case .number("1") = value { return true }
      return false
    default:
      note(name, value)
      return nil
    }
  }

  mutating func instant(_ name: String) -> Timestamp? { integer(name).map { Timestamp(milliseconds: $0) } }

  /// Returns a list of signed texts; nil when there is no list. Elements of another type are noted.
  mutating func signedList(_ name: String) -> [SignedText]? {
    guard let elements = list(name) else { return nil }
    var texts: [SignedText] = []
    for (index, element) in elements.enumerated() {
      if case .string(let text) = element {
        texts.append(SignedText(text: text))
      } else {
        note("\(name)[\(index)]", element)
      }
    }
    return texts
  }

  /// Returns a list of objects; nil when there is no list. Elements of another type are noted.
  mutating func objects<Element>(_ name: String, _ make: (inout AnswerFields) -> Element) -> [Element]? {
    guard let elements = list(name) else { return nil }
    var made: [Element] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let object) = element else {
        note("\(name)[\(index)]", element)
        continue
      }
      var fields = AnswerFields(object, path: "\(path)\(name)[\(index)].")
      made.append(make(&fields))
      fields.finish()
      unread += fields.unread
    }
    return made
  }

  private mutating func list(_ name: String) -> JSONArray? {
    guard let value = take(name) else { return nil }
    if case .array(let elements) = value { return elements }
    note(name, value)
    return nil
  }

  /// Returns the list of a page. A page may lack its list only when `hasMore` is false.
  static func page<Element>(_ list: [Element]?, _ name: String, hasMore: Bool?) throws(AnswerFault) -> [Element] {
    if let list { return list }
    guard hasMore == false else { throw AnswerFault(reason: "it has no list \"\(name)\"") }
    return []
  }

  /// Notes the members that were not read.
  mutating func finish() {
    for member in object.members where !taken.contains(member.name) { note(member.name, member.value) }
  }

  static let environments = Set(AppStoreEnvironment.allCases.map(\.rawValue))
}
