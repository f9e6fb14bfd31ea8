/// An open transaction, which exists only inside the closure of `Session.transaction`.
public struct DatabaseTransaction: ~Copyable {
  private let connection: Connection
  /// Whether the large tables are distributed; nil until a statement of this transaction answered.
  package var isDistributed: Bool?

  init(_ connection: Connection) { self.connection = connection }

  /// Runs a statement and returns the number of affected rows.
  public mutating func run<each Cell>(
    _ statement: StatementFile<repeat each Cell>, _ parameters: [String: Value] = [:]
  ) throws(PostgresError) -> Int {
    try checkCancellation()
    return try connection.execute(statement.file, statement.file.bind(parameters)).affectedRows
  }

  /// Runs a statement with null for every parameter.
  mutating func runEmpty(_ file: SQLFile) throws(PostgresError) {
    try checkCancellation()
    _ = try connection.execute(file, file.parameterNames.map { _ in .null })
  }

  /// Returns the result columns of a statement without running it.
  public mutating func columns(of file: SQLFile) throws(PostgresError) -> [ResultColumn] { try describe(file).columns }

  /// Returns the result columns of a statement, and the kinds of its parameters by name, without running it.
  mutating func describe(_ file: SQLFile) throws(PostgresError) -> (columns: [ResultColumn], parameters: [String: ValueKind?]) {
    try checkCancellation()
    return try connection.describe(file)
  }

  /// Runs a statement and reads its rows with the declared cells.
  public mutating func rows<each Cell>(
    _ statement: StatementFile<repeat each Cell>, _ parameters: [String: Value] = [:]
  ) throws(PostgresError) -> [(repeat each Cell)] {
    try checkCancellation()
    let result = try connection.execute(statement.file, statement.file.bind(parameters))
    var rows: [(repeat each Cell)] = []
    rows.reserveCapacity(result.rowCount)
    for index in 0..<result.rowCount {
      var reader = RowReader(result, row: index, file: statement.file.path)
      rows.append((repeat try reader.read(each statement.columns)))
      try reader.checkEnd()
    }
    return rows
  }

  /// Runs a statement and passes its rows on one by one, as text, in constant memory.
  ///
  /// - Returns: the number of rows.
  public mutating func stream(
    _ file: SQLFile, _ parameters: [String: Value] = [:], columns: ([String]) throws -> Void,
    row: (borrowing TextRow) throws -> Void
  ) throws -> Int {
    try checkCancellation()
    let values = try file.bind(parameters)
    try connection.sendStreaming(file, values)
    var count = 0
    var hasColumns = false
    var failure: (any Error)?
    while let result = connection.nextResult() {
      // After a failure, the rest of the result must still be read from the connection.
      if failure != nil { continue }
      do {
        try connection.check(result, file: file.path, sql: file.text)
        if !hasColumns {
          hasColumns = true
          try columns((0..<result.columnCount).map { result.columnName($0) })
        }
        if result.rowCount == 1 {
          count += 1
          try row(TextRow(result))
        }
      } catch {
        failure = error
        // Millions of unwanted rows need not be sent.
        connection.cancelHandle().cancel()
      }
    }
    if let failure { throw failure }
    return count
  }

  /// Throws if the task was cancelled between two statements, when the server has none to cancel.
  private func checkCancellation() throws(PostgresError) {
    if Task.isCancelled { throw .cancelled }
  }

  /// Runs `copy … from stdin (format binary)` with the rows that the closure writes.
  ///
  /// - Returns: the number of rows.
  public mutating func copyIn(_ sql: String, _ body: (inout CopyWriter) throws -> Void) throws -> Int {
    try checkCancellation()
    try connection.beginCopy(sql)
    do {
      var writer = CopyWriter(connection)
      try body(&writer)
      try writer.finish()
    } catch {
      _ = try connection.endCopy(error: "the rows could not be written", sql: sql)
      throw error
    }
    return try connection.endCopy(error: nil, sql: sql)
  }

  /// Runs `copy … from stdin` in a text format with the text of a file, which errors name.
  mutating func copyIn(_ sql: String, text: String, file: String) throws(PostgresError) {
    try checkCancellation()
    try connection.beginCopy(sql)
    try connection.putCopy(Array(text.utf8))
    _ = try connection.endCopy(error: nil, sql: sql, file: file)
  }

  /// Runs `copy … to stdout` and passes its bytes on as they arrive. Returns the number of rows.
  public mutating func copyOut(_ sql: String, _ sink: ([UInt8]) throws -> Void) throws -> Int {
    try checkCancellation()
    return try connection.copyOut(sql, sink)
  }

  /// Runs several statements without parameters.
  ///
  /// - Parameter file: file of the statements, which errors name; nil if they come from code.
  public mutating func execute(_ statements: String, file: String? = nil) throws(PostgresError) {
    try checkCancellation()
    try connection.execute(statements, file: file)
  }

  /// Sends statements without results, such as settings, with the next statement or the commit, which throw their errors.
  ///
  /// - Parameter file: file of the statements, which errors name; nil if they come from code.
  public mutating func send(_ statements: String, file: String? = nil) {
    connection.send(BoundStatement.all(in: statements, file: file))
  }

  /// Sends a statement with the next one or the commit, which throw its error.
  public mutating func send(_ statement: StatementFile<>, _ parameters: [String: Value] = [:]) throws(PostgresError) {
    try connection.send(BoundStatement(statement.file, statement.file.bind(parameters)))
  }

  /// Runs the statements that were sent, and throws their errors.
  public mutating func flush() throws(PostgresError) { try connection.flush() }
}

/// Isolation level and access mode of a transaction.
public enum TransactionMode: Sendable {
  case readWrite
  /// One snapshot for reads. Fails with 40001, to be retried, if another transaction changed a row that this one writes.
  case snapshot
  case readOnlySnapshot
  /// One statement, which the server commits by itself. This saves a round trip.
  case singleStatement

  var begin: String {
    switch self {
    case .singleStatement: ""
    case .readWrite: "begin isolation level read committed"
    case .snapshot: "begin isolation level repeatable read"
    case .readOnlySnapshot: "begin isolation level repeatable read read only"
    }
  }
}
