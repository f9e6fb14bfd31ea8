public import AppStoreServer
internal import Domain
public import JobCore
internal import Postgres

/// The budgets of Apple's limits in the database, on a connection of their own: what a job does in a transaction may take
/// longer than a stretch of them.
public actor DatabaseBudget {
  private let context: JobContext
  /// Opened when the first request is to be sent.
  private var session: Session?

  /// Everybody waits for who holds the row: the server ends a reservation that takes longer.
  private static let timeoutMilliseconds = 5000

  public init(context: JobContext) { self.context = context }

  /// For a rate limiter to take from.
  public nonisolated var shared: SharedBudget {
    SharedBudget(
      reserve: { try await self.reserve($0) }, pause: { try await self.pause($0, microseconds: $1, now: $2) })
  }

  private func reserve(_ wish: SharedBudget.Wish) async throws -> SharedBudget.Answer {
    let file = try context.sql(CollectSQL.reserveBudget)
    let parameters = Self.parameters(wish.key, wish.now).merging([
      "span_micros": .int8(wish.spanMicroseconds), "keep_micros": .int8(wish.keepMicroseconds),
      "wait_max_micros": .int8(wish.waitMaxMicroseconds),
    ]) { $1 }
    let answer = try await withSession { session in
      try await session.retrying { tx in
        try tx.rows(file, parameters).first.map { SharedBudget.Answer(waitMicroseconds: $0, isTaken: $1) }
      }
    }
    guard let answer else {
      throw PostgresError.decoding("cannot read \(CollectSQL.reserveBudget.path): it has no row")
    }
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
      "now": now.map { .timestamptz(microseconds: $0.microseconds) } ?? .null,
    ]
  }

  /// Does something on the open session, and once more on a new one when that was lost.
  private func withSession<Result: Sendable>(
    _ body: @Sendable (Session) async throws -> Result
  ) async throws -> Result {
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
