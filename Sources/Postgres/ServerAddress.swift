internal import CLibPQ
internal import Glibc

/// The address of a server: a libpq connection string, a URL, or the name of a database.
///
/// It may contain a password, so neither it nor libpq's complaint about it appears in a message.
public struct ServerAddress {
  /// The reason in a message about a text that is no address. It quotes nothing of the text.
  public static let fault = "is no address that libpq reads"
  public static let cure =
    "Write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE; in a name or password write % as %25, @ as %40, / as %2F, : as %3A, "
    + "? as %3F, # as %23 and a blank as %20."

  /// The values of the keywords that the address names.
  private let values: [String: String]

  /// Parses an address as libpq does.
  ///
  /// - Returns: nil if libpq refuses it, or if a part of a password would be taken for a host, port or database name.
  /// - Source: libpq, PQconninfoParse. PQconnectdbParams reads a `dbname` without `=` and without the prefix of a URL as a name.
  public init?(_ text: String) {
    let isURL = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    if !isURL, !text.contains("=") {
      guard !text.contains(where: { "@:/".contains($0) || $0.isWhitespace }) else { return nil }
      values = ["dbname": text]
      return
    }
    guard let values = Self.parse(text), !isURL || !Self.hasSecondAt(text), Self.hasPorts(values["port"] ?? "") else { return nil }
    self.values = values
  }

  private static func parse(_ text: String) -> [String: String]? {
    var complaint: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &complaint)
    if let complaint = unsafe complaint { unsafe PQfreemem(complaint) }
    guard let options = unsafe options else { return nil }
    defer { unsafe PQconninfoFree(options) }
    var values: [String: String] = [:]
    var next = unsafe options
    while let keyword = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val { unsafe values[String(cString: keyword)] = String(cString: value) }
      unsafe next += 1
    }
    return values
  }

  /// Whether a URL has an `@` besides the one that ends its user and password, before the options. libpq takes what follows the first
  /// `@` or `/` for host, port and database.
  private static func hasSecondAt(_ url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    var rest = url[start...]
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" { rest = rest[rest.index(after: end)...] }
    return rest.prefix { $0 != "?" }.contains("@")
  }

  private static func hasPorts(_ text: String) -> Bool {
    text.split(separator: ",").allSatisfy { port in Int(port).map { (1...65_535).contains($0) } ?? false }
  }

  /// Returns libpq's or the server's message without the user and the password of the address.
  package func redacted(_ message: String) -> String {
    var message = message
    if let user = values["user"], !user.isEmpty {
      for word in ["user", "role"] { message = message.replacing("\(word) \"\(user)\"", with: "\(word) \"…\"") }
    }
    let shown = ["host", "hostaddr", "port", "dbname"].compactMap { values[$0] }
    for secret in ["password", "sslpassword", "user"].compactMap({ values[$0] }) where !secret.isEmpty && !shown.contains(secret) {
      message = message.replacing("\"\(secret)\"", with: "\"…\"")
    }
    return message
  }
}
