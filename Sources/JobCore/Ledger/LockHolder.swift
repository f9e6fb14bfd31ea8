internal import Postgres

/// The session that holds a lock.
struct LockHolder: Sendable {
  /// Backend of the database server.
  var backend: Int32
  /// `payrecon nightly HOST:PID`, as sessions of payrecon name themselves.
  var name: String
  var login: String
  /// nil when the login may not see it.
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

  /// Who holds an advisory lock; nil when it was let go meanwhile.
  static func find(_ key: Int64, in context: JobContext) async throws -> LockHolder? {
    // As the login itself, which sees its own sessions: the roles see nobody's.
    var settings = context.connection
    settings.role = nil
    let session = try await Session.open(settings)
    let sql = context.sql
    let found = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql(RunsSQL.lockHolder), ["key": .int8(key)]).map {
        LockHolder(backend: $0.0, name: $0.1, login: $0.2 ?? "?", startedAt: $0.3)
      }
    }
    await session.close()
    return found.first
  }
}
