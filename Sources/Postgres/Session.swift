internal import Synchronization
internal import SystemCalls

/// One connection on its dedicated queue. All access goes through synchronous transaction closures.
public actor Session {
  private let executor: SerialQueueExecutor
  /// nil once closed or broken. A session is not reused after a lost connection.
  private var connection: Connection?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private init(executor: SerialQueueExecutor) { self.executor = executor }

  /// Opens a connection.
  ///
  /// - Throws: `PostgresError.connectionFailed`.
  public static func open(_ settings: ConnectionSettings) async throws -> Session {
    let session = Session(executor: SerialQueueExecutor(label: "payrecon.postgres"))
    try await session.connect(settings)
    return session
  }

  private func connect(_ settings: ConnectionSettings) throws { connection = try Connection(settings) }

  /// Runs a synchronous closure in a transaction. Commits at its end, or rolls back if it throws.
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
      connection.begin(mode)
      var tx = DatabaseTransaction(connection)
      let result = try body(&tx)
      // Statements may be pending, so the commit can be cancelled, too. The server ignores a cancellation that comes after it.
      if connection.hasPending, Task.isCancelled { throw PostgresError.cancelled }
      try connection.commit()
      cancellation.end()
      return result
    } catch {
      cancellation.end()
      // The first error is reported. A failed rollback means that the connection is broken, so it is dropped.
      do { try connection.rollback() } catch { self.connection = nil }
      if connection.isBroken { self.connection = nil }
      throw error
    }
  }

  /// Runs one statement in a transaction, and reads its rows with the declared cells.
  public func rows<each Cell: Sendable>(
    _ statement: StatementFile<repeat each Cell>, _ parameters: [String: Value] = [:]
  ) async throws -> [(repeat each Cell)] {
    try await transaction(.singleStatement) { tx in try tx.rows(statement, parameters) }
  }

  /// Runs a transaction, and retries it after a serialization failure or deadlock (40001, 40P01).
  ///
  /// - Parameters:
  ///   - attempts: maximum number of attempts, including the first.
  ///   - prepare: called before each attempt.
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

  /// Runs a statement that the server rejects inside a transaction, such as `create database` or `vacuum`.
  public func executeAlone(_ statement: String) throws(PostgresError) {
    guard let connection else { throw .connectionLost("the session is closed") }
    try connection.execute(statement)
  }

  /// Passes the session to `work` and closes it in any case, so that a retry need not wait until the server notices a lost session.
  public nonisolated func use<Result>(_ work: (Session) async throws -> Result) async throws -> Result {
    let result: Result
    do { result = try await work(self) } catch {
      await close()
      throw error
    }
    await close()
    return result
  }

  /// Drops the temporary tables, locks and options of earlier work. If that fails, drops the connection, with which the server does so.
  public func discardState() {
    do { try connection?.execute("discard all") } catch { connection = nil }
  }

  /// Sets the options of a session without the state of earlier work.
  public func setUp(_ settings: ConnectionSettings) throws(PostgresError) {
    guard let connection else { throw .connectionLost("the session is closed") }
    try connection.setUp(settings)
  }

  /// Releases the advisory locks and closes the connection. The server notices a closed connection only after a moment.
  public func close() async {
    try? connection?.execute("select pg_advisory_unlock_all()")
    connection = nil
  }
}

/// The repeated cancellation of a transaction's statement until the transaction ends. A cancellation that arrives just before the
/// statement has no effect.
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

  /// Stops cancelling, so that no cancellation affects the session's next transaction.
  func end() { isOver.withLock { $0 = true } }

  /// Cancels once. Returns whether the transaction has ended.
  private func cancel() -> Bool {
    isOver.withLock { isOver in
      if !isOver { handle.cancel() }
      return isOver
    }
  }
}
