/// The failure of a database call, without parameter values or passwords.
public enum PostgresError: Error, Sendable, CustomStringConvertible {
  /// libpq cannot read the connection string. Any part of the string may be a password.
  case malformedAddress
  /// The server was not reachable or refused the connection.
  case connectionFailed(String)
  /// The connection broke. The session is no longer usable.
  case connectionLost(String)
  /// The server rejected a statement.
  case server(ServerError)
  /// A result has another form than the code expects.
  case decoding(String)
  case cancelled
  /// An SQL file is missing, or its parameters do not match.
  case sqlFile(String)

  public var description: String {
    switch self {
    case .malformedAddress: "the address of the database \(ServerAddress.fault)"
    case .connectionFailed(let text): "could not connect to the database: \(text)"
    case .connectionLost(let text): "the connection to the database was lost: \(text)"
    case .server(let error): error.description
    case .decoding(let text): text
    case .cancelled: "the database call was cancelled"
    case .sqlFile(let text): text
    }
  }

  /// Whether the password is missing or wrong.
  public var isAboutPassword: Bool {
    guard case .connectionFailed(let message) = self else { return false }
    return message.contains("no password supplied") || message.contains("password authentication failed")
  }

  /// The state with which the server rejected a statement; nil for any other failure.
  private var sqlState: SQLState? { if case .server(let error) = self { error.sqlState } else { nil } }

  /// Whether the login lacks a right.
  public var isAboutPermission: Bool { sqlState == .insufficientPrivilege }

  /// Whether the server's disk is full.
  public var isAboutDisk: Bool { sqlState == .diskFull }

  /// Parts of libpq's and the server's messages about an address that never connects.
  private static let addressFaults = [
    "does not exist", "invalid integer value", "no pg_hba.conf entry", "is not permitted to log in", "permission denied for database",
  ]

  /// Whether a connection failed because of its address or password, so that only other ones connect. With several hosts, each failed so.
  public var isAboutAddress: Bool {
    guard case .connectionFailed(let message) = self else { return false }
    let attempts = message.split(separator: "connection to server")
    return isAboutPassword || attempts.allSatisfy { attempt in Self.addressFaults.contains { attempt.contains($0) } }
  }

  /// Whether a value could not be converted or calculated: class 22, data exceptions.
  public var isAboutData: Bool { sqlState?.code.hasPrefix("22") ?? false }

  /// Whether the same call may succeed later without any intervention.
  public var isTemporary: Bool {
    switch self {
    case .connectionFailed, .connectionLost, .cancelled: true
    case .server(let error): error.sqlState.isTemporary || error.lostNode != nil
    case .malformedAddress, .decoding, .sqlFile: false
    }
  }
}

/// The server's error for a rejected statement.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  public var sqlState: SQLState
  public var message: String
  /// The call stack of the server, such as a function and its line.
  var context: String?
  public var constraint: String?
  /// SQL file of the statement; nil if the statement came from code.
  public var file: String?
  /// Line and column in the statement, from 1.
  public var position: (line: Int, column: Int)?

  /// The node that failed while a statement ran on several nodes, as `host:port`; nil for any other failure.
  ///
  /// The server reports the failure as its own error, because the node sent none.
  ///
  /// - Source: Citus 13.2, ReportResultError of remote_commands.c, and multi_copy.c.
  var lostNode: String? {
    guard ["XX000", "58030"].contains(sqlState.code) else { return nil }
    let match =
      context?.firstMatch(of: #/while executing command on (\S+:\d+)/#)
      ?? message.firstMatch(of: #/(?:on|from|to|essential:) (?:node |host )?(\S+:\d+)/#)
    return match.map { String($0.output.1) }
  }

  public var description: String {
    let node = lostNode.map { "the node \($0), which holds a part of the tables, failed: " } ?? ""
    let said = message.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    var text = "\(node)\(said) (SQLSTATE \(sqlState.code)"
    if let file { text += ", \(file)" }
    if let position { text += ":\(position.line):\(position.column)" }
    if let constraint { text += ", constraint \(constraint)" }
    return text + ")"
  }
}

/// A five-character SQLSTATE.
///
/// - Source: PostgreSQL documentation, appendix A.
public struct SQLState: Hashable, Sendable {
  public var code: String

  public init(_ code: String) { self.code = code }

  /// A role or another object has this name.
  public static let duplicateObject = SQLState("42710")
  static let duplicateDatabase = SQLState("42P04")
  public static let uniqueViolation = SQLState("23505")
  public static let checkViolation = SQLState("23514")
  public static let serializationFailure = SQLState("40001")
  public static let deadlockDetected = SQLState("40P01")
  public static let lockNotAvailable = SQLState("55P03")
  public static let diskFull = SQLState("53100")
  public static let queryCanceled = SQLState("57014")
  public static let insufficientPrivilege = SQLState("42501")
  /// A write in a read-only transaction, for example on a server in recovery.
  public static let readOnlyTransaction = SQLState("25006")

  /// Whether the whole transaction can be retried.
  public var isRetryable: Bool { self == .serializationFailure || self == .deadlockDetected }

  /// Whether the error is temporary: classes 08, 53 and 57P (connection, resources, operator intervention), a lock timeout, or a server
  /// in recovery.
  var isTemporary: Bool {
    isRetryable || self == .lockNotAvailable || self == .readOnlyTransaction || code.hasPrefix("08") || code.hasPrefix("53")
      || code.hasPrefix("57P")
  }
}
