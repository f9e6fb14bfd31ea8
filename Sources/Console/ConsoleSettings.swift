public import Collect
internal import HTTPTypes
internal import Intake
public import JobCore
internal import Review
internal import Web

public struct ConsoleSettings: Sendable {
  /// Creates the clients that query Apple; nil if no app has a key.
  public var storeAccess: (@Sendable (JobContext) throws -> StoreAccess)?
  /// Whether browsers connect over TLS, so that cookies are marked as secure.
  public var isSecure: Bool
  /// Addresses of proxies whose `X-Forwarded-For` header is trusted.
  public var proxies: Set<String>
  public var identity: ProxyIdentity?

  /// Restarts the private database if it died. Does nothing while the database runs.
  public var revive: @Sendable () async throws -> Void = {}

  public init(isSecure: Bool = false, proxies: Set<String> = []) { (self.isSecure, self.proxies) = (isSecure, proxies) }
}

/// A proxy that authenticates users and names their account over a socket that only the proxy may open.
public struct ProxyIdentity: Sendable {
  var field: HTTPField.Name
  /// Key for the database; nil if no proxy is trusted. The field is then only reported.
  var key: String?
  var socket: ProxySocket?

  public init?(header: String) {
    guard let field = HTTPField.Name(header) else { return nil }
    self.field = field
  }

  /// Returns a copy that trusts the proxy over a socket, which the group of this number may open; nil for this process's group.
  public func over(socket path: String, key: String, group: UInt32?) -> ProxyIdentity {
    var identity = self
    identity.key = key
    identity.socket = ProxySocket(path: path, group: group)
    return identity
  }
}

enum ConsoleLimits {
  static let formBytesMax = 64 << 10
  /// Largest form with a file, in bytes: the file and 64 KiB for the other fields.
  static let uploadBytesMax = CaseJob.attachmentBytesMax + (64 << 10)
  /// Concurrent uploads. Each is kept in memory.
  static let uploadsMax = 4
  static let fieldsMax = 256
  static let tokensMax: Int64 = 10
  static let tokenDaysMax: Int64 = 365
  static let bulkMax = 200
  static let pageRows = 50
  static let cardRows = 200
  /// Saved queue filters per account. `viewsShownMax` limits how many one account sees.
  static let viewsMax: Int64 = 50
  static let viewsShownMax: Int64 = 100
  static let viewCharactersMax = 60
  /// Figures that are listed per table.
  static let figuresMax = 1000
  static let addressCharactersMax = 600
  /// Rows of a figure that paging can skip. The command line returns all rows.
  static let rowsSkippedMax = 1_000_000
  static let wantedCharactersMax = 1500
  static let cardIDsMax = 100
  /// Newest orders and charges of a customer that its page counts.
  static let customerFactsMax = 5000
  /// Orders per device or token whose cases a card lists.
  static let linkedOrdersMax = 50
  /// Largest number in the navigation; more are shown as `99+`.
  static let countMax: Int64 = 99
  /// Newest decisions searched for similar cases.
  static let similarMax = 1000
  /// Subjects drawn around a case.
  static let linksMax = 24
  /// Orders and charges of a case whose match trace is computed per page.
  static let rungsMax = 4
  static let queryCharactersMax = 200
  /// Longest id that can be typed. An id has at most as many bytes, so no id has more characters. Templates repeat the number.
  static let idCharactersMax = IntakeLimits.textBytesMax
  /// Concurrent queries to Apple before punishing actions. Each takes some seconds.
  static let questionsMax = 4
  static let reasonCharactersMax = 2000
  static let leaseSeconds: Int64 = 1800
  /// Time in which a decision can be undone, in seconds.
  static let undoSeconds: Int64 = 600
  /// Concurrent requests. Each uses one or two database connections.
  static let workersMax = 12
  static let waitersMax = 300
  /// Concurrent log-ins. Each hashes a password for 0.1 s.
  static let passwordsMax = 4
  /// Largest evidence item that is decoded or downloadable, in bytes.
  static let evidenceBytesMax = 4 << 20
  /// Depth to which nested signed texts are decoded.
  static let nestingMax = 4
  static let evidenceFieldsMax = 2000
}
