internal import Blocking
internal import Glibc

/// One connection and the queue it lives on; all access goes through synchronous transaction closures.
public actor Session {
  private let executor: SerialQueueExecutor
  /// Nil once closed or broken: a session is not reused after a lost connection.
  private var connection: Connection?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private init(executor: SerialQueueExecutor) {
    self.executor = executor
  }

  /// Connects.
  ///
  /// - Throws: `PostgresError.connectionFailed`.
  public static func open(_ settings: ConnectionSettings) async throws -> Session {
    let session = Session(executor: SerialQueueExecutor(label: "payrecon.postgres"))
    try await session.connect(settings)
    return session
  }

  private func connect(_ settings: ConnectionSettings) throws { connection = try Connection(settings) }

  /// Runs a synchronous closure in a transaction: commits at its end, rolls back when it throws.
  public func transaction<R: Sendable>(
    _ mode: TransactionMode = .readWrite, _ body: @Sendable (inout Transaction) throws -> R
  ) async throws -> R {
    try Task.checkCancellation()
    guard let connection else { throw PostgresError.connectionLost("the session is closed") }
    let cancel = connection.cancelHandle()
    return try await withTaskCancellationHandler {
      try perform(mode, on: connection, body)
    } onCancel: {
      cancel.cancel()
    }
  }

  private func perform<R>(
    _ mode: TransactionMode, on connection: Connection, _ body: (inout Transaction) throws -> R
  ) throws -> R {
    do {
      try connection.execute(mode.begin)
      var tx = Transaction(connection)
      let result = try body(&tx)
      try connection.commit()
      return result
    } catch {
      // The first error is the one to tell; a rollback that fails means a broken connection, which is dropped.
      do { try connection.execute("rollback") } catch { self.connection = nil }
      throw error
    }
  }

  /// Runs a transaction again when the server says that only timing was against it (40001, 40P01, 55P03).
  ///
  /// - Parameter attempts: how often it is tried in all.
  public func retrying<R: Sendable>(
    attempts: Int = 5, _ mode: TransactionMode = .readWrite, _ body: @Sendable (inout Transaction) throws -> R
  ) async throws -> R {
    for attempt in 1..<max(1, attempts) {
      do {
        return try await transaction(mode, body)
      } catch PostgresError.server(let error) where error.sqlState.isRetryable {
        let base = UInt64(10 << min(attempt, 6))
        try await Task.sleep(nanoseconds: (base + UInt64.random(in: 0..<base)) * 1_000_000)
      }
    }
    return try await transaction(mode, body)
  }

  /// Takes a session-level advisory lock; false when another session holds it.
  public func tryAdvisoryLock(_ key: Int64) async throws -> Bool {
    let file = SQLFile(path: "advisory lock", source: "select pg_try_advisory_lock(:'key'::bigint)")
    return try await transaction { tx in
      try tx.rows(file, ["key": .int8(key)]) { row throws(PostgresError) in try row.bool() }.first ?? false
    }
  }

  /// Closes the connection; its locks go with it.
  public func close() async { connection = nil }
}
