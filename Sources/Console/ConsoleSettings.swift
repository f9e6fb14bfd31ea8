public import Collect
internal import HTTPTypes
public import JobCore
internal import Review
internal import Web

/// How the console is reached.
public struct ConsoleSettings: Sendable {
  /// Makes clients that ask Apple; nil where no app has a key.
  public var storeAccess: (@Sendable (JobContext) throws -> StoreAccess)?
  /// Whether browsers come over TLS, so that cookies are sent over nothing else.
  public var isSecure: Bool
  /// Addresses of proxies whose word for the address of a browser is taken.
  public var proxies: Set<String>
  /// The proxy that says who is in front of it; nil for none.
  public var identity: ProxyIdentity?

  /// Starts a database of our own that died; does nothing while it runs.
  public var revive: @Sendable () async throws -> Void = {}

  public init(isSecure: Bool = false, proxies: Set<String> = []) {
    self.isSecure = isSecure
    self.proxies = proxies
  }
}

/// A proxy that says who is in front of it, over a socket that it alone may open.
public struct ProxyIdentity: Sendable {
  /// Header field that names the account.
  var field: HTTPField.Name
  /// What the database is shown; nil where nobody is believed: the field is then only looked out for.
  var key: String?
  var socket: ProxySocket?

  /// nil for a name that no header field has.
  public init?(header: String) {
    guard let field = HTTPField.Name(header) else { return nil }
    self.field = field
  }

  /// The same, believed over a socket.
  ///
  /// - Parameters:
  ///   - key: of the proxy, as `payrecon account proxy-key` made it.
  ///   - group: number of the group that may open the socket; nil: that of this process.
  public func over(socket path: String, key: String, group: UInt32?) -> ProxyIdentity {
    var identity = self
    identity.key = key
    identity.socket = ProxySocket(path: path, group: group)
    return identity
  }
}

/// Bounds on what the console takes and shows.
enum ConsoleLimits {
  /// Largest form that is read, in bytes.
  static let formBytesMax = 64 << 10
  /// Largest form with a file, in bytes: the file and a little around it.
  static let uploadBytesMax = CaseJob.attachmentBytesMax + (64 << 10)
  /// Files that come in at once; each is held in memory.
  static let uploadsMax = 4
  /// Fields of a form or a query.
  static let fieldsMax = 256
  /// Tokens of one account that live at once.
  static let tokensMax: Int64 = 10
  /// Longest life of a token, in days.
  static let tokenDaysMax: Int64 = 365
  /// Cases that are decided in one go.
  static let bulkMax = 200
  /// Rows of one page of a list.
  static let pageRows = 50
  /// Rows of one table on a card.
  static let cardRows = 200
  /// Filters of the queue that one account keeps, and that one sees.
  static let viewsMax: Int64 = 50
  static let viewsShownMax: Int64 = 100
  /// Longest name of one, in characters.
  static let viewCharactersMax = 60
  /// Figures of one table that are listed.
  static let figuresMax = 1000
  /// Longest address of a figure, in characters.
  static let addressCharactersMax = 600
  /// Rows of a figure that are passed over, page by page; the command line has all of them.
  static let rowsSkippedMax = 1_000_000
  /// Longest address of a page that is gone on to after a log-in, in characters.
  static let wantedCharactersMax = 1500
  /// Orders and charges that a card tells of.
  static let cardIDsMax = 100
  /// Orders of one device or token whose cases a card tells of.
  static let linkedOrdersMax = 50
  /// Newest decisions among which a card looks for cases that are alike.
  static let similarMax = 1000
  /// Other subjects that are drawn around a case.
  static let linksMax = 24
  /// Orders and charges of a case whose rungs are climbed again at once.
  static let rungsMax = 4
  /// Longest text to search for, in characters.
  static let queryCharactersMax = 200
  /// Questions to Apple before a punishing act that go on at once, each for some seconds.
  static let questionsMax = 4
  /// Longest reason, in characters.
  static let reasonCharactersMax = 2000
  /// How long a case is somebody's, in seconds.
  static let leaseSeconds: Int64 = 1800
  /// How long a decision is taken back with one button, in seconds.
  static let undoSeconds: Int64 = 600
  /// Requests that work at once; each holds a connection to the database or two.
  static let workersMax = 12
  /// Requests that wait for one of these to end.
  static let waitersMax = 300
  /// Log-ins at once; each hashes a password for a tenth of a second.
  static let passwordsMax = 4
  /// Bytes of a piece of evidence that are decoded, and of it that are offered raw.
  static let evidenceBytesMax = 4 << 20
  /// Signed texts inside signed texts that are decoded.
  static let nestingMax = 4
  /// Lines of one decoded piece of evidence.
  static let claimsMax = 2000
}
