internal import Domain

/// A text for users that is translated when it is displayed.
///
/// A literal is a key of the catalogues. An unknown key is displayed unchanged.
public struct Phrase: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  indirect enum Content: Sendable, Hashable {
    case key(String, arguments: [String: Phrase], count: Int?)
    case plain(String)
    case code(String)
    case capitalized(Phrase)
    case member(of: String, String, otherwise: String)
    case parts([Phrase])
  }

  let content: Content

  private init(content: Content) { self.content = content }

  public init(stringLiteral key: String) { self.init(key) }

  /// - Parameters:
  ///   - arguments: values of the placeholders.
  ///   - count: number that determines the plural form; nil for none.
  public init(_ key: String, _ arguments: [String: Phrase] = [:], counting count: Int? = nil) {
    content = .key(key, arguments: arguments, count: count)
  }

  /// Returns a phrase that is equal in every language: an id, a name or a figure.
  public static func plain(_ text: some StringProtocol) -> Phrase { Phrase(content: .plain(String(text))) }

  /// Returns a phrase for a number in digits.
  public static func plain(_ number: some BinaryInteger) -> Phrase { .plain("\(number)") }

  /// Returns the word for a code. English keeps the code, as commands print it.
  public static func code(_ text: String) -> Phrase { Phrase(content: .code(text)) }

  /// Returns several phrases in a row.
  public static func list(_ parts: [Phrase], separator: String = ", ") -> Phrase {
    Phrase(content: .parts(Array(parts.map { [$0] }.joined(separator: [.plain(separator)]))))
  }

  /// Returns phrases joined by the text of a key with the placeholders `first` and `more`; empty for no phrase.
  public static func joined(_ parts: [Phrase], by key: String) -> Phrase {
    parts.dropFirst().reduce(parts.first ?? .plain("")) { Phrase(key, ["first": $0, "more": $1]) }
  }

  /// Returns the phrase with its plain text, or the plain texts of its arguments, changed.
  public func mapping(_ change: (String) -> String) -> Phrase {
    switch content {
    case .plain(let text): .plain(change(text))
    case .key(let key, let arguments, let count): Phrase(key, arguments.mapValues { $0.mapping(change) }, counting: count)
    default: self
    }
  }

  /// Returns the word for a member of a closed list, or `otherwise`. The catalogue key is `LIST.MEMBER`.
  public static func name(_ list: String, _ member: String, otherwise: String? = nil) -> Phrase {
    Phrase(content: .member(of: list, member, otherwise: otherwise ?? member))
  }

  /// The text in English, for commands and programs.
  public var english: String { Catalogue.of(.english)(self) }

  public var description: String { english }

  /// The text with a capital letter and a full stop.
  public var asSentence: Phrase { Phrase("list.sentence", ["text": Phrase(content: .capitalized(self))]) }

  public static func + (first: Phrase, second: Phrase) -> Phrase { Phrase(content: .parts([first, second])) }

  public var isEmpty: Bool {
    switch content {
    case .plain(let text), .code(let text), .key(let text, _, _): text.isEmpty
    case .capitalized(let phrase): phrase.isEmpty
    case .member(_, let member, _): member.isEmpty
    case .parts(let parts): parts.allSatisfy(\.isEmpty)
    }
  }
}
