internal import JSON
package import Wording

extension Phrase {
  /// Decodes a result of the SQL function `phrase`, or a list of them. The SQL function `english` words it likewise.
  ///
  /// - Throws: `JSONFault` if the text is no JSON.
  package init(json: String) throws {
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
    let phrases = parts.compactMap(Phrase.init)
    self = phrases.dropFirst().reduce(phrases.first ?? .plain("")) { Phrase(key, ["first": $0, "more": $1]) }
  }

  private init(_ object: JSONObject) {
    let key = object.string("key") ?? ""
    if key.hasPrefix("word.") {
      self = .code(String(key.dropFirst(5)))
    } else if key.hasPrefix("sentence.") {
      self = .sentence(String(key.dropFirst(9)))
    } else if case .array(let parts) = object["with"] {
      self.init(list: parts, joinedBy: key)
    } else {
      let members = object.object("with").map { Array($0.members) } ?? []
      self.init(key, Dictionary(uniqueKeysWithValues: members.compactMap { name, value in Phrase(value).map { (name, $0) } }))
    }
  }
}
