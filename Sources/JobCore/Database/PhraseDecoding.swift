internal import JSON
package import Wording

extension Phrase {
  /// Decodes a result of the SQL function `phrase`, or a list of them.
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
    case .array(let parts):
      let phrases = parts.compactMap(Phrase.init)
      self = phrases.dropFirst().reduce(phrases.first ?? .plain("")) { Phrase("said.also", ["first": $0, "more": $1]) }
    case .object(let object): self.init(object)
    }
  }

  private init(_ object: JSONObject) {
    let key = object.string("key") ?? ""
    if key.hasPrefix("word.") {
      self = .code(String(key.dropFirst(5)))
    } else if key.hasPrefix("sentence.") {
      self = .sentence(String(key.dropFirst(9)))
    } else {
      let members = object.object("with").map { Array($0.members) } ?? []
      self.init(key, Dictionary(uniqueKeysWithValues: members.compactMap { name, value in Phrase(value).map { (name, $0) } }))
    }
  }
}
