internal import Synchronization
internal import SystemCalls

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
    _ mode: TransactionMode = .readWrite, _ body: @Sendable (inout DatabaseTransaction) throws -> R
  ) async throws -> R {
    try Task.checkCancellation()
    guard let connection else { throw PostgresError.connectionLost("the session is closed") }
    let cancellation = Cancellation(connection.cancelHandle())
    return try await withTaskCancellationHandler {
      try perform(mode, on: connection, cancellation, body)
    } onCancel: {
      cancellation.begin()
    }
  }

  private func perform<R>(
    _ mode: TransactionMode, on connection: Connection, _ cancellation: Cancellation,
    _ body: (inout DatabaseTransaction) throws -> R
  ) throws -> R {
    do {
      try connection.execute(mode.begin)
      var tx = DatabaseTransaction(connection)
      let result = try body(&tx)
      cancellation.end()
      try connection.commit()
      return result
    } catch {
      cancellation.end()
      // The first error is the one to tell; a rollback that fails means a broken connection, which is
      // dropped.
      do { try connection.execute("rollback") } catch { self.connection = nil }
      throw error
    }
  }

  /// Runs a transaction again when the server says that only timing was against it (40001, 40P01).
  ///
  /// - Parameters:
  ///   - attempts: how often it is tried in all.
  ///   - prepare: done before each attempt.
  public func retrying<R: Sendable>(
    attempts: Int = 5, _ mode: TransactionMode = .readWrite, prepare: () async throws -> Void = {},
    _ body: @Sendable (inout DatabaseTransaction) throws -> R
  ) async throws -> R {
    for attempt in 1..<max(1, attempts) {
      do {
        try await prepare()
        return try await transaction(mode, body)
      } catch PostgresError.server(let error) where error.sqlState.isRetryable {
        let base = UInt64(10 << min(attempt, 6))
        try await Task.sleep(nanoseconds: (base + UInt64.random(in: 0..<base)) * 1_000_000)
      }
    }
    try await prepare()
    return try await transaction(mode, body)
  }

  /// Takes a session-level advisory lock; false when another session holds it.
  public func tryAdvisoryLock(_ key: Int64) async throws -> Bool {
    let file = SQLFile(path: "advisory lock", source: "select pg_try_advisory_lock(:'key'::bigint)")
    return try await transaction { tx in
      try tx.rows(file, ["key": .int8(key)]) { row throws(PostgresError) in try row.bool() }.first ?? false
    }
  }

  /// Runs a statement that the server refuses inside a transaction, such as `create database` or `vacuum`.
  public func executeAlone(_ statement: String) throws(PostgresError) {
    guard let connection else { throw .connectionLost("the session is closed") }
    try connection.execute(statement)
  }

  /// Lends the session to some work and closes it whatever happens: the next attempt need not wait until the server notices
  /// that this one is gone.
  public nonisolated func lent<Result>(_ work: (Session) async throws -> Result) async throws -> Result {
    let result: Result
    do { result = try await work(self) } catch {
      await close()
      throw error
    }
    await close()
    return result
  }

  /// Closes the connection.
  ///
  /// Locks are given back first: the server notices a closed connection only a moment later.
  public func close() async {
    try? connection?.execute("select pg_advisory_unlock_all()")
    connection = nil
  }
}

/// Cancels what a transaction runs, again and again until it ends: a cancellation that reaches the server
/// just before the statement does is lost.
private final class Cancellation: Sendable {
  private static let triesMax = 100
  private static let pause = Duration.milliseconds(50)

  private let handle: CancelHandle
  private let isOver = Mutex(false)

  init(_ handle: CancelHandle) { self.handle = handle }

  func begin() {
    guard !cancel() else { return }
    Task.detached {
      for _ in 0..<Self.triesMax {
        try await Task.sleep(for: Self.pause)
        if self.cancel() { return }
      }
    }
  }

  /// From here on nothing is cancelled, so that no cancellation meets the session's next transaction.
  func end() { isOver.withLock { $0 = true } }

  /// Whether it is over.
  private func cancel() -> Bool {
    isOver.withLock { isOver in
      if !isOver { handle.cancel() }
      return isOver
    }
  }
}
