public import AppStoreServer
internal import Domain
public import JobCore
internal import Postgres

/// The budgets of Apple's limits in the database. They use a dedicated connection, because a job's transaction may last longer than a
/// reserved stretch.
public actor DatabaseBudget {
  private let context: JobContext
  /// Opened before the first request is sent.
  private var session: Session?

  /// Time limit of a reservation. All processes wait for the holder of the row lock, so the server cancels a longer reservation.
  private static let timeoutMilliseconds = 5000

  public init(context: JobContext) { self.context = context }

  /// The budget in the form that a rate limiter uses.
  public nonisolated var shared: SharedBudget {
    SharedBudget(reserve: { try await self.reserve($0) }, pause: { try await self.pause($0, microseconds: $1, now: $2) })
  }

  private func reserve(_ request: SharedBudget.Request) async throws -> SharedBudget.Answer {
    let file = try context.sql(CollectSQL.reserveBudget)
    let parameters = Self.parameters(request.key, request.now).merging([
      "span_micros": .int8(request.spanMicroseconds), "keep_micros": .int8(request.keepMicroseconds),
      "wait_max_micros": .int8(request.waitMaxMicroseconds),
    ]) { $1 }
    let answer = try await withSession { session in
      try await session.retrying { tx in
        try tx.rows(file, parameters).first.map { SharedBudget.Answer(waitMicroseconds: $0, isTaken: $1) }
      }
    }
    guard let answer else { throw PostgresError.decoding("cannot read \(CollectSQL.reserveBudget.path): it has no row") }
    return answer
  }

  private func pause(_ key: RateKey, microseconds: Int64, now: Timestamp?) async throws {
    let file = try context.sql(CollectSQL.pauseBudget)
    let parameters = Self.parameters(key, now).merging(["pause_micros": .int8(microseconds)]) { $1 }
    _ = try await withSession { session in try await session.retrying { tx in try tx.run(file, parameters) } }
  }

  private static func parameters(_ key: RateKey, _ now: Timestamp?) -> [String: Value] {
    [
      "bundle_id": .text(key.bundleID), "environment": .text(key.environment.appStoreEnvironment.rawValue),
      "endpoint": .text(key.endpoint.rawValue),
      "now": now.sqlValue,
    ]
  }

  /// Executes a body on the open session, and again on a new session when the first was lost.
  private func withSession<Result: Sendable>(_ body: @Sendable (Session) async throws -> Result) async throws -> Result {
    if let session {
      do { return try await body(session) } catch let error as PostgresError where error.isTemporary {
        self.session = nil
        try Task.checkCancellation()
      }
    }
    let fresh = try await context.open { settings in
      settings.lockTimeoutMilliseconds = Self.timeoutMilliseconds
      settings.idleTimeoutMilliseconds = Self.timeoutMilliseconds
    }
    session = fresh
    return try await body(fresh)
  }
}
