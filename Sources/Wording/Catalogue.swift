internal import CWording
public import Domain

/// The texts of one language.
///
/// A catalogue is a file in `Catalogues` with one `key = text` per line; a line that begins with `#` is a comment. `CWording` embeds
/// the files in the program.
///
/// - `{count}` names a placeholder.
/// - `\n` ends a line, `\s` is a no-break space, and `\-` is a soft hyphen.
/// - A text with a count has one line per plural form, `key[one] = …`.
public struct Catalogue: Sendable {
  public let language: Language
  /// Texts by key; plurals have keys such as `key[one]`.
  public let texts: [String: String]

  private static let english = Catalogue(.english, unsafe String(cString: catalogue_en()))
  private static let chinese = Catalogue(.chinese, unsafe String(cString: catalogue_zh_Hans()))
  private static let japanese = Catalogue(.japanese, unsafe String(cString: catalogue_ja()))
  private static let russian = Catalogue(.russian, unsafe String(cString: catalogue_ru()))

  public static func of(_ language: Language) -> Catalogue {
    switch language {
    case .english: english
    case .chinese: chinese
    case .japanese: japanese
    case .russian: russian
    }
  }

  private init(_ language: Language, _ file: String) {
    self.language = language
    // Bytes are compared: each command reads all texts of a language when it starts.
    texts = file.utf8.split(separator: UInt8(ascii: "\n")).reduce(into: [:]) { texts, line in
      guard line.first != UInt8(ascii: "#"), let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return }
      let text = Substring(line[sign...].dropFirst(2))
      texts[String(Substring(line[..<sign].dropLast()))] = line.contains(UInt8(ascii: "\\")) ? Self.unescaped(text) : String(text)
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("\\n", with: "\n").replacing("\\s", with: "\u{A0}").replacing("\\-", with: "\u{AD}")
  }

  public func callAsFunction(_ phrase: Phrase) -> String {
    switch phrase.content {
    case .plain(let text): text
    case .code(let code): language == .english ? code : texts["word.\(code)"] ?? code
    case .capitalized(let phrase): self(phrase).prefix(1).uppercased() + self(phrase).dropFirst()
    case .key(let key, let arguments, let count):
      Pattern(text(key, counting: count) ?? key).filled { name in arguments[name].map { self($0) } }
    case .member(let list, let member, let otherwise): texts["\(list).\(member)"] ?? otherwise
    case .parts(let parts): parts.map { self($0) }.joined()
    }
  }

  /// Returns a text with its placeholders filled.
  public func callAsFunction(_ key: String, _ arguments: [String: String] = [:], counting count: Int? = nil) -> String {
    Pattern(text(key, counting: count) ?? key).filled { arguments[$0] }
  }

  /// Returns the word for a member of a closed list, or `otherwise`.
  public func name(_ list: String, _ member: String, otherwise: String? = nil) -> String {
    self(.name(list, member, otherwise: otherwise))
  }

  /// Translates a template: a key in double brackets becomes its text, with the text's placeholders as template variables.
  public func template(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let begin = rest.firstRange(of: "[["), let end = rest[begin.upperBound...].firstRange(of: "]]") {
      let key = String(rest[begin.upperBound..<end.lowerBound])
      result += rest[..<begin.lowerBound] + Pattern(Self.escaped(self.text(key, counting: nil) ?? key)).filled { "{{\($0)}}" }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Returns the text of a key; the English one if this language has none.
  private func text(_ key: String, counting count: Int?) -> String? {
    guard let count else { return texts[key] ?? (language == .english ? nil : Self.english.text(key, counting: nil)) }
    return texts["\(key)[\(language.plural(of: count).rawValue)]"]
      ?? (language == .english ? nil : Self.english.text(key, counting: count))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
