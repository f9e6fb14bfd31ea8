internal import Cryptography
internal import Domain
internal import JobCore
internal import Review
internal import Wording

/// Whoever is logged in, for one request.
struct Visit: Sendable {
  var account: String
  var role: String
  /// In which pages speak: what the account chose, else what the browser asks for; programs are told in English.
  var language = Language.english
  /// Whether the account chose it.
  var isLanguageChosen = false
  /// Teams whose cases the account sees; none: all.
  var inboxes: [String]
  /// What the browser shows with each post.
  var csrf: String
  /// Acts as the account, at this request's clock.
  var context: JobContext

  var words: Catalogue { Catalogue.of(language) }
  var canWork: Bool { role != ConsoleRole.reader.rawValue }
  var canConclude: Bool { role == ConsoleRole.approver.rawValue || isAdmin }
  var isAdmin: Bool { role == ConsoleRole.admin.rawValue }
  /// Whether it may look at what belongs to no case of its inboxes.
  var seesAll: Bool { inboxes.isEmpty }
  /// Whether the rules are its work: those of whoever sees suspicions.
  var seesRules: Bool { seesAll || inboxes.contains("fraud") }
}

/// What of a cookie's token goes where: neither the form nor the database learns the token.
enum SessionToken {
  private static let bytes = 32
  /// What a token for programs begins with, so that it is known wherever somebody left it.
  static let prefix = "payrecon_"

  static func make() -> String { Hexadecimal.text(RandomBytes.make(bytes)) }
  static func isOne(_ text: String) -> Bool {
    text.utf8.count == bytes * 2 && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
  /// What the database is shown; a program's token opens no page, and a browser's is no program's.
  static func secret(_ token: String, ofProgram: Bool = false) -> String {
    SHA256.hex(Array("payrecon \(ofProgram ? "token" : "session") \(token)".utf8))
  }
  static func csrf(_ token: String) -> String { SHA256.hex(Array("payrecon form \(token)".utf8)) }
}
