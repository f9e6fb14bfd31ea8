/// A text for people, said in a language when it is shown.
///
/// A literal is the key of a text in the catalogues; a key that no catalogue has is shown as it is.
public struct Phrase: Sendable, Hashable, ExpressibleByStringLiteral {
  indirect enum Content: Sendable, Hashable {
    case key(String, arguments: [String: Phrase], count: Int?)
    case plain(String)
    case told(String)
    case member(of: String, String, otherwise: String)
    case parts([Phrase])
  }

  let content: Content

  private init(content: Content) { self.content = content }

  public init(stringLiteral key: String) { self.init(key) }

  /// - Parameters:
  ///   - arguments: what stands in the places that the text names.
  ///   - count: what the text counts, for its plural.
  public init(_ key: String, _ arguments: [String: Phrase] = [:], counting count: Int? = nil) {
    content = .key(key, arguments: arguments, count: count)
  }

  /// What is the same in every language: ids, names, figures.
  public static func plain(_ text: some StringProtocol) -> Phrase { Phrase(content: .plain(String(text))) }

  /// An English sentence that another part of the program, or a statement, put together; it is known again by its pattern in the
  /// English catalogue, under `told`, and shown as it is where it is not.
  public static func told(_ text: String) -> Phrase { Phrase(content: .told(text)) }

  /// Such sentences joined by semicolons, each as far as it is known as one.
  public static func joined(_ text: String) -> Phrase {
    var parts = text.split(separator: "; ")[...]
    var phrases: [Phrase] = []
    while !parts.isEmpty {
      let count = (1...parts.count).last { Catalogue.isSentence(parts.prefix($0).joined(separator: "; ")) } ?? 1
      phrases += (phrases.isEmpty ? [] : [.plain("; ")]) + [.told(parts.prefix(count).joined(separator: "; "))]
      parts = parts.dropFirst(count)
    }
    return Phrase(content: .parts(phrases))
  }

  /// The word for a member of a closed list, or `otherwise`: the key is that of the list, a point and the member.
  public static func name(_ list: String, _ member: String, otherwise: String? = nil) -> Phrase {
    Phrase(content: .member(of: list, member, otherwise: otherwise ?? member))
  }

  public static func + (first: Phrase, second: Phrase) -> Phrase { Phrase(content: .parts([first, second])) }

  /// Whether it says nothing.
  public var isEmpty: Bool {
    switch content {
    case .plain(let text), .told(let text), .key(let text, _, _): text.isEmpty
    case .member(_, let member, _): member.isEmpty
    case .parts(let parts): parts.allSatisfy(\.isEmpty)
    }
  }
}
