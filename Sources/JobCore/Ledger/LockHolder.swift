internal import Postgres

struct LockHolder: Sendable {
  /// Process id of the backend on the database server.
  var backend: Int32
  /// `payrecon nightly HOST:PID`, the application name of payrecon's sessions.
  var name: String
  var login: String
  /// nil if the login may not see it.
  var startedAt: String?

  /// `"payrecon nightly" on host a, process 12, since 2026-05-10T06:30:00Z (database session 345)`.
  var text: String {
    let since = startedAt.map { " since \($0)" } ?? ""
    return "\(who)\(since) (database session \(backend) of \(login))"
  }

  private var who: String {
    guard let place = name.lastIndex(of: " "), let colon = name[place...].lastIndex(of: ":") else {
      return name.isEmpty ? "another process" : "\"\(name)\""
    }
    let host = name[name.index(after: place)..<colon]
    return "\"\(name[..<place])\" on host \(host), process \(name[name.index(after: colon)...]),"
  }

  /// Returns the session that has an advisory lock; nil if the lock has been released.
  static func find(_ key: Int64, in context: JobContext) async throws -> LockHolder? {
    // Only the login sees its sessions; the roles see no session of others.
    var settings = context.connection
    settings.role = nil
    let found = try await Session.open(settings).use { session in
      try await context.rows(RunsSQL.lockHolder, ["key": .int8(key)], on: session).first
    }
    return found.map { LockHolder(backend: $0.0, name: $0.1, login: $0.2 ?? "?", startedAt: $0.3) }
  }
}
