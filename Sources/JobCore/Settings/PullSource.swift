internal import Cryptography
internal import Domain

/// A source of rows beside files: a query on another PostgreSQL, or a relation of payrecon's own.
public struct PullSource: Sendable, Hashable {
  /// Where the rows lie.
  public enum Origin: Sendable, Hashable {
    /// A libpq address, a secret.
    case server(conninfo: String)
    /// A file that holds it.
    case serverNamed(inFile: String)
    /// payrecon's own server, foreign tables included.
    case own
  }

  /// What the watermark is called by; two sources of one name share it.
  public var name: String
  public var kind: InputKind
  public var origin: Origin
  /// A select that yields the columns of the kind.
  public var query: String
  /// Whether rows say when they changed, in a column `updated_at`; where they do not, all of them are read each time.
  public var hasWatermark: Bool
  /// Seconds before the watermark that are read again: a transaction may commit after a later one was seen.
  public var overlapSeconds: Int64 = 900

  public init(name: String, kind: InputKind, origin: Origin, query: String) {
    self.name = name
    self.kind = kind
    self.origin = origin
    self.query = query
    hasWatermark = kind == .orders
  }

  /// Says whether rows are read by when they changed: `updated_at`, which orders alone can, or `none`.
  ///
  /// - Returns: whether it can be so.
  public mutating func setWatermark(_ word: String) -> Bool {
    hasWatermark = word == "updated_at"
    return word == "none" || (hasWatermark && kind == .orders)
  }

  /// What `setWatermark` takes.
  public static let watermarkRule = "must be none, or for orders updated_at"

  /// Kinds that can be read from a database.
  public static let kinds: [InputKind] = [.catalogue, .users, .orders]
  /// Bytes of a query.
  public static let queryBytesMax = 64 << 10

  /// A name for what nobody named: the same address and query have the same one, and no secret is in it.
  public static func name(from conninfo: String?, query: String) -> String {
    "pull-\(SHA256.hex(Array("\(conninfo ?? "")\n\(query)".utf8)).prefix(16))"
  }

  /// A query for all of a relation.
  ///
  /// - Throws: `JobError` unless the name is `relation` or `schema.relation` in plain letters.
  public static func query(ofRelation name: String) throws(JobError) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      guard let first = part.utf8.first else { return false }
      return !(0x30...0x39).contains(first) && part.utf8.allSatisfy(isWordByte)
    }
    guard (1...2).contains(parts.count), isPlain else {
      throw JobError(
        "could not read relation \"\(name)\": it is no name such as shop.orders",
        hint: "Give a relation with another name a view with a plain one.", status: .usage)
    }
    return "select * from " + parts.map { "\"\($0)\"" }.joined(separator: ".")
  }

  /// The query that a file holds.
  public static func query(inFile path: String) throws(JobError) -> String {
    let bytes = try FileHash.contents(path, bytesMax: queryBytesMax) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isBlank else {
      throw JobError("could not read query \"\(path)\": it is missing or empty", status: .usage)
    }
    return text
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte == 0x5F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
  }

  var entries: [SettingsEntry] {
    let place = switch origin {
    case .own: "its own server"
    case .server, .serverNamed: "another server"
    }
    return [
      SettingsEntry("sources.\(name).kind", kind.rawValue), SettingsEntry("sources.\(name).from", place),
      SettingsEntry("sources.\(name).overlap_seconds", hasWatermark ? "\(overlapSeconds)" : "reads all of it"),
    ]
  }
}
