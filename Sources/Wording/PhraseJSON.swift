public import JSON

extension JSONFault {
  public var reason: Phrase { Phrase(key, values.mapValues { .plain($0) }) }

  /// The reason with its place.
  public var phrase: Phrase { Phrase("json.at_byte", ["what": reason, "offset": .plain(offset)]) }
}

/// Phrases as the database stores them: results of the SQL function `phrase`, which the SQL function `english` words.
extension Phrase {
  /// Beginnings of the keys of which the database has the English texts: details, reasons of runs and of rejected input and evidence,
  /// and the parts that these nest.
  public static let storedBeginnings = ["detail.", "intake.", "json.", "night.", "receipt.", "said.", "signed."]

  /// The empty phrase. Most evidence is genuine, and has no reason.
  private static let emptyJSON = "\"\""

  /// Decodes a phrase, or a list of phrases.
  ///
  /// - Throws: `JSONFault` if the text is no JSON.
  public init(json: String) throws {
    guard json != Self.emptyJSON else {
      self = .plain("")
      return
    }
    let object = try JSONObject(parsing: Array("{\"text\":\(json)}".utf8)[...])
    self = object["text"].flatMap(Phrase.init) ?? .plain("")
  }

  /// Returns nil for null or a Boolean.
  private init?(_ value: JSONValue) {
    switch value {
    case .null, .bool: return nil
    case .string(let text), .number(let text): self = .plain(text)
    case .array(let parts): self.init(list: parts, joinedBy: "said.also")
    case .object(let object): self.init(object)
    }
  }

  /// - Parameter key: text that joins the parts before with the next one.
  private init(list parts: JSONArray, joinedBy key: String) {
    self = .joined(parts.compactMap(Phrase.init), by: key)
  }

  private init(_ object: JSONObject) {
    let key = object.string("key") ?? ""
    if key.hasPrefix("word.") {
      self = .code(String(key.dropFirst(5)))
    } else if case .array(let parts) = object["with"] {
      self.init(list: parts, joinedBy: key)
    } else {
      let members = object.object("with").map { Array($0.members) } ?? []
      self.init(key, Dictionary(uniqueKeysWithValues: members.compactMap { name, value in Phrase(value).map { (name, $0) } }))
    }
  }

  /// The phrase in the text format of `jsonb`. A text of another form than a key with values, or with a key whose text the database lacks,
  /// is stored in English.
  public var json: String {
    switch content {
    case .key(let key, let arguments, nil) where (Self.storedBeginnings + ["word."]).contains(where: key.hasPrefix):
      let parts = parts(joinedBy: key)
      // A list, whose parts would be nested in each other.
      if parts.count > 1 { return "{\"key\": \(Self.quoted(key)), \"with\": [\(parts.map(\.json).joined(separator: ", "))]}" }
      // The order of `jsonb`: shorter names first.
      let names = arguments.keys.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
      let members = names.map { "\(Self.quoted($0)): \(arguments[$0]?.json ?? "null")" }
      return "{\"key\": \(Self.quoted(key)), \"with\": {\(members.joined(separator: ", "))}}"
    case .code(let code): return Phrase("word.\(code)").json
    case .plain(""): return Self.emptyJSON
    case .plain, .capitalized, .member, .parts, .key: return Self.quoted(english)
    }
  }

  /// Returns the parts of which `joined` made this phrase, or the phrase itself.
  private func parts(joinedBy key: String) -> [Phrase] {
    guard case .key(key, let arguments, nil) = content, arguments.count == 2, let first = arguments["first"], let more = arguments["more"]
    else { return [self] }
    return first.parts(joinedBy: key) + [more]
  }

  /// Returns the text of several phrases that are stored as one.
  public static func json(apart phrases: [Phrase]) -> String {
    guard !phrases.isEmpty else { return plain("").json }
    return "{\"key\": \"said.apart\", \"with\": [\(phrases.map(\.json).joined(separator: ", "))]}"
  }

  /// Decodes the phrases that were stored as one.
  ///
  /// - Throws: `JSONFault` if the text is no JSON.
  public static func apart(json: String) throws -> [Phrase] {
    let object = try JSONObject(parsing: Array("{\"text\":\(json)}".utf8)[...])
    guard case .object(let list)? = object["text"], case .array(let parts)? = list["with"] else {
      let phrase = try Phrase(json: json)
      return phrase.isEmpty ? [] : [phrase]
    }
    return parts.compactMap(Phrase.init)
  }

  /// Characters that are written in another form. The database stores no U+0000.
  private static let escapes: [Unicode.Scalar: String] = [
    "\0": "\u{FFFD}", "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b", "\u{C}": "\\f",
  ]

  private static func quoted(_ text: String) -> String {
    let content = text.unicodeScalars.map { scalar in
      escapes[scalar] ?? (scalar.value < 0x20 ? "\\u00\(scalar.value < 0x10 ? "0" : "")\(String(scalar.value, radix: 16))" : String(scalar))
    }
    return "\"\(content.joined())\""
  }
}
