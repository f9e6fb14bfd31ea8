internal import Cryptography
internal import Domain

/// A source of rows besides files: a query on another PostgreSQL, or a relation of payrecon's own server.
public struct PullSource: Sendable, Hashable {
  public enum Origin: Sendable, Hashable {
    /// A libpq connection string, which is a secret.
    case server(conninfo: String)
    case serverNamed(inFile: String)
    /// payrecon's own server, including foreign tables.
    case own
  }

  /// Name of the watermark. Sources with the same name share it.
  public var name: String
  public var kind: InputKind
  public var origin: Origin
  /// A select that returns the columns of the kind.
  public var query: String
  /// Whether rows have a change instant in a column `updated_at`. If not, every pull reads all rows.
  public var hasWatermark: Bool
  /// Seconds before the watermark that are read again, because a transaction may commit after a later one was read.
  public var overlapSeconds: Int64 = 900

  public init(name: String, kind: InputKind, origin: Origin, query: String) {
    self.name = name
    self.kind = kind
    self.origin = origin
    self.query = query
    hasWatermark = kind == .orders
  }

  /// Sets whether rows are read by their change instant: `updated_at`, for orders only, or `none`.
  ///
  /// - Returns: whether the word is allowed.
  public mutating func setWatermark(_ word: String) -> Bool {
    hasWatermark = word == "updated_at"
    return word == "none" || (hasWatermark && kind == .orders)
  }

  public static let watermarkRule = "must be none, or for orders updated_at"

  public static let kinds = InputKind.allCases.filter { $0.rowType != nil }
  public static let queryBytesMax = 64 << 10

  /// Returns a name for an unnamed source. The same address and query give the same name, which reveals no secret.
  public static func name(from conninfo: String?, query: String) -> String {
    "pull-\(SHA256.hex(Array("\(conninfo ?? "")\n\(query)".utf8)).prefix(16))"
  }

  /// The source in a message: its name, or the option of an unnamed one, whose address may contain a password.
  package var title: String {
    if case .server(let conninfo) = origin, name == Self.name(from: conninfo, query: query) { return "the database of --from" }
    return "source \"\(name)\""
  }

  /// Returns a query for all rows of a relation.
  ///
  /// - Throws: `JobError` unless the name is `relation` or `schema.relation` in plain letters.
  public static func query(ofRelation name: String) throws(JobError) -> String {
    guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?/) != nil else {
      throw JobError(
        "could not read relation \"\(name)\": it is no name such as shop.orders",
        hint: "Give a relation with another name a view with a plain one.", status: .usage)
    }
    return "select * from " + name.split(separator: ".").map { "\"\($0)\"" }.joined(separator: ".")
  }

  public static func query(inFile path: String) throws(JobError) -> String {
    let bytes = try LocalFile.contents(path, bytesMax: queryBytesMax) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isBlank else { throw JobError("could not read query \"\(path)\": it is missing or empty", status: .usage) }
    return text
  }

  var entries: [SettingsEntry] {
    let place =
      switch origin {
      case .own: "its own server"
      case .server: "another server"
      case .serverNamed(let file): "the server named in \(file)"
      }
    return [
      SettingsEntry("sources.\(name).kind", kind.rawValue), SettingsEntry("sources.\(name).from", place),
      // Only a hash, because a query may contain a secret.
      SettingsEntry("sources.\(name).query_sha256", String(SHA256.hex(Array(query.utf8)).prefix(16))),
      SettingsEntry("sources.\(name).overlap_seconds", hasWatermark ? "\(overlapSeconds)" : "reads all of it"),
    ]
  }
}
