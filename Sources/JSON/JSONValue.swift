/// A JSON value. Numbers stay text, because money and identifiers must not pass through floating point.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array(JSONArray)
  case object(JSONObject)
}

/// Elements of a JSON list, decoded one by one.
public struct JSONArray: Sendable, Sequence, ExpressibleByArrayLiteral {
  private enum Storage {
    case read(JSONDocument, Int)
    case made([JSONValue])
  }

  private let storage: Storage

  init(_ document: JSONDocument, _ node: Int) { storage = .read(document, node) }

  public init(_ elements: [JSONValue]) { storage = .made(elements) }

  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }

  public var isEmpty: Bool { makeIterator().next() == nil }

  public func makeIterator() -> AnyIterator<JSONValue> {
    switch storage {
    case .read(let document, let node): AnyIterator(document.children(of: node).lazy.map { document.value($0) }.makeIterator())
    case .made(let elements): AnyIterator(elements.makeIterator())
    }
  }

  /// The unescaped bytes of each element; nil for an element that is no string.
  public var texts: [ArraySlice<UInt8>?] {
    switch storage {
    case .read(let document, let node): document.children(of: node).map { document.isText($0) ? document.plain($0) : nil }
    case .made(let elements): elements.map { if case .string(let text) = $0 { Array(text.utf8)[...] } else { nil } }
    }
  }
}

/// Members of a JSON object in the order of the text; names are distinct.
public struct JSONObject: Sendable {
  public typealias Member = (name: String, value: JSONValue)

  private enum Storage {
    case read(JSONDocument, Int)
    case made([Member])
  }

  private var storage: Storage

  init(_ document: JSONDocument, _ node: Int) { storage = .read(document, node) }

  public init(members: [Member] = []) { storage = .made(members) }

  /// Parses a whole UTF-8 text that is one object. Repeated names, deep nesting and too many values are refused.
  ///
  /// - Source: RFC 8259.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONFault) {
    let document = try JSONDocument(bytes)
    guard document.nodes[0].kind == .object else { throw JSONFault("json.no_object", offset: 0) }
    self.init(document, 0)
  }

  /// Returns a member's value; nil when it is missing.
  public subscript(name: String) -> JSONValue? {
    switch storage {
    case .read(let document, _): place(of: name).map { document.value($0) }
    case .made(let members): members.first { $0.name == name }?.value
    }
  }

  /// Returns the node of a member's value; nil when it is missing.
  private func place(of name: String) -> Int? {
    guard case .read(let document, let node) = storage else { return nil }
    let end = Int(document.nodes[node].next)
    var at = node + 1
    while at < end {
      if document.isName(at, name) { return at + 1 }
      at = Int(document.nodes[at + 1].next)
    }
    return nil
  }

  public func has(_ name: String) -> Bool {
    if case .made(let members) = storage { return members.contains { $0.name == name } }
    return place(of: name) != nil
  }

  /// Returns a member's string; nil when it is missing or of another type.
  public func string(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// Returns a member's whole number; nil when it is missing, has a fraction or an exponent, or is of another type.
  public func integer(_ name: String) -> Int64? {
    if case .number(let digits)? = self[name] { Int64(digits) } else { nil }
  }

  /// Returns a member's list; nil when it is missing or of another type.
  public func array(_ name: String) -> JSONArray? {
    if case .array(let elements)? = self[name] { elements } else { nil }
  }

  /// Returns the unescaped bytes of a member's string; nil when it is missing or of another type.
  public func utf8(_ name: String) -> ArraySlice<UInt8>? {
    guard case .read(let document, _) = storage else { return string(name).map { Array($0.utf8)[...] } }
    guard let place = place(of: name), document.isText(place) else { return nil }
    return document.plain(place)
  }

  /// Returns a member's object; nil when it is missing or of another type.
  public func object(_ name: String) -> JSONObject? {
    if case .object(let object)? = self[name] { object } else { nil }
  }

  /// The object's original text; empty for an object that was not parsed.
  public var text: ArraySlice<UInt8> {
    guard case .read(let document, let node) = storage else { return [] }
    return document.slice(node)
  }

  /// Returns the original bytes of a member's value, a string with its quotes; nil when it is missing.
  public func text(of name: String) -> ArraySlice<UInt8>? {
    guard case .read(let document, _) = storage, let place = place(of: name) else { return nil }
    let slice = document.slice(place)
    guard document.isText(place) else { return slice }
    return document.bytes[(slice.startIndex - 1)..<(slice.endIndex + 1)]
  }

  /// Returns the byte ranges of the values whose member name satisfies `isTaken`, relative to the parsed text. Values of any depth are
  /// listed in their order. A string is listed without its quotes; of a list, the elements are listed.
  public func valueRanges(where isTaken: (String) -> Bool) -> [Range<Int>] {
    guard case .read(let document, let node) = storage else { return [] }
    return document.valueRanges(in: node, where: isTaken)
  }

  /// Appends a member; its name must be new.
  public mutating func append(_ name: String, _ value: JSONValue) { storage = .made(members + [(name, value)]) }

  public var members: [Member] {
    switch storage {
    case .read(let document, let node): document.children(of: node).map { (document.text($0), document.value($0 + 1)) }
    case .made(let members): members
    }
  }
}
