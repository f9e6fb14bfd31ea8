internal import Cryptography
internal import Domain
internal import JobCore
internal import Review
internal import TimeZones
internal import Wording

/// The logged-in account of one request.
struct Visitor: Sendable {
  var account: String
  var role: String
  /// Language of the pages: the account's choice, or else the browser's. Programs get English.
  var language = Language.english
  var isLanguageChosen = false
  /// Time zone of the pages: the account's choice, or else UTC.
  var zone = TimeZoneRules.utc
  /// Teams whose cases the account sees; empty for all.
  var inboxes: [String]
  /// Token that each form must carry.
  var csrf: String
  /// Path of the request's route, such as `/breaks/:id`; the navigation marks its entry.
  var path = ""
  /// Number of cases in the lists of the navigation, by address; absent for none, and for programs.
  var counts: [String: Int64] = [:]
  var context: JobContext

  var words: Catalogue { Catalogue.of(language) }
  var reader: Reader { Reader(words: words, now: context.asOf, zone: zone) }
  var canWork: Bool { role != ConsoleRole.reader.rawValue }
  var canConclude: Bool { role == ConsoleRole.approver.rawValue || isAdmin }
  var isAdmin: Bool { role == ConsoleRole.admin.rawValue }
  /// Whether the account may see records outside its inboxes' cases.
  var seesAll: Bool { inboxes.isEmpty }
  /// Whether the account may see the abuse rules: the fraud team, and accounts that see everything.
  var seesRules: Bool { seesAll || inboxes.contains("fraud") }
}

/// Values derived from a session token. The form and the database get hashes, never the token.
enum SessionToken {
  private static let bytes = 32
  /// Prefix of tokens for programs, which makes a leaked token recognisable.
  static let prefix = "payrecon_"

  static func make() -> String { Hexadecimal.text(RandomBytes.make(bytes)) }
  static func isOne(_ text: String) -> Bool {
    text.utf8.count == bytes * 2 && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
  /// Returns the value sent to the database. It differs for programs and browsers, so neither token works as the other.
  static func secret(_ token: String, ofProgram: Bool = false) -> String {
    SHA256.hex(Array("payrecon \(ofProgram ? "token" : "session") \(token)".utf8))
  }
  static func csrf(_ token: String) -> String { SHA256.hex(Array("payrecon form \(token)".utf8)) }
}
