internal import CLibPQ
internal import Glibc

/// The server, account and timeouts of a connection.
public struct ConnectionSettings: Sendable {
  /// libpq connection string or URL. It may contain a password, so no message includes it.
  public var conninfo: String
  public var applicationName: String
  /// Role to set after connecting; nil keeps the login role.
  public var role: String?
  public var searchPath = "payrecon, pg_catalog"
  public var connectTimeoutSeconds = 15
  /// Milliseconds to wait for a lock before the error 55P03.
  public var lockTimeoutMilliseconds = 30_000
  /// Milliseconds that a transaction may be idle before the server ends it.
  public var idleTimeoutMilliseconds = 600_000

  public init(conninfo: String, applicationName: String) {
    self.conninfo = conninfo
    self.applicationName = applicationName
  }
}

/// A libpq connection, freed on every path. It is not Sendable because it is confined to its session's queue.
@safe final class Connection {
  private let pointer: OpaquePointer
  private let warnings = Warnings()
  /// Statements whose results are not read. They are sent with the next statement, which saves their round trips.
  private var pending: [BoundStatement] = []
  private var pendingByteCount = 0
  private var stage = Stage.outside

  private enum Stage {
    case outside
    /// The start of the transaction is the first of the pending statements.
    case notBegun
    case inside
    /// One statement may run, without a transaction block.
    case single
  }

  /// Maximum number of bytes of pending statements.
  private static let pendingBytesMax = 4 << 20

  /// Options for a server with Citus; other servers ignore them. One transaction may write reference tables and distributed tables in
  /// sequence, and intermediate results have no size limit.
  private static let citusOptions = [
    "-c citus.multi_shard_modify_mode=sequential", "-c citus.enable_repartition_joins=on",
    "-c citus.max_intermediate_result_size=-1",
  ]

  /// Connects and sets the session's options.
  /// - Source: libpq, PQconnectdbParams.
  init(_ settings: ConnectionSettings) throws(PostgresError) {
    guard let address = ServerAddress(settings.conninfo) else { throw .malformedAddress }
    let options =
      ([
        "-c lock_timeout=\(settings.lockTimeoutMilliseconds)",
        "-c idle_in_transaction_session_timeout=\(settings.idleTimeoutMilliseconds)",
        "-c statement_timeout=0", "-c standard_conforming_strings=on", "-c client_min_messages=warning", "-c jit=off",
        "-c default_transaction_isolation=read\\ committed",
      ] + Self.citusOptions).joined(separator: " ")
    let pairs = [
      ("dbname", settings.conninfo), ("application_name", String(settings.applicationName.prefix(60))),
      ("client_encoding", "UTF8"), ("connect_timeout", String(settings.connectTimeoutSeconds)),
      ("keepalives", "1"), ("options", options),
    ]
    let keys = CStrings(pairs.map(\.0))
    let values = CStrings(pairs.map(\.1))
    let connected = unsafe withExtendedLifetime((keys, values)) {
      unsafe PQconnectdbParams(keys.pointers, values.pointers, 1)
    }
    guard let pointer = unsafe connected else { throw .connectionFailed("out of memory") }
    // From here on, deinit frees the pointer, even if this initialiser throws.
    unsafe self.pointer = pointer
    guard unsafe PQstatus(pointer) == CONNECTION_OK else { throw unsafe .connectionFailed(address.redacted(Self.message(pointer))) }
    unsafe warnings.listen(pointer)
    try setUp(settings)
  }

  /// Sets the options of a session that has the server's defaults.
  func setUp(_ settings: ConnectionSettings) throws(PostgresError) {
    var setup = "set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; "
    setup += "set search_path = \(settings.searchPath)"
    if let role = settings.role { setup += "; set role \"\(role.filter { $0 != "\"" })\"" }
    try execute(setup)
  }

  deinit { unsafe PQfinish(pointer) }

  /// Returns a handle with which another thread can cancel the running statement.
  func cancelHandle() -> CancelHandle { unsafe CancelHandle(PQgetCancel(pointer)) }

  private static func message(_ pointer: OpaquePointer) -> String {
    let text = unsafe String(cString: PQerrorMessage(pointer))
    return text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .joined(separator: "; ")
  }

  var isBroken: Bool { unsafe PQstatus(pointer) != CONNECTION_OK }

  /// Sends the start of a transaction with its first statement.
  func begin(_ mode: TransactionMode) {
    pending = BoundStatement.all(in: mode.begin, file: nil)
    stage = pending.isEmpty ? .single : .notBegun
  }

  /// Sends statements with the next one that has a result, or with the commit, which throw their errors.
  func send(_ statements: [BoundStatement]) { pending += statements }

  /// Sends a statement in the same way. Beyond `pendingBytesMax`, it and those before it are sent now.
  func send(_ statement: BoundStatement) throws(PostgresError) {
    pending.append(statement)
    pendingByteCount += statement.byteCount
    if pendingByteCount > Self.pendingBytesMax { try flush() }
  }

  /// Runs the pending statements, including the start of the transaction.
  func flush() throws(PostgresError) { if !pending.isEmpty { _ = try run([]) } }

  /// Whether statements are pending, besides the start of the transaction.
  var hasPending: Bool { pending.count > (stage == .notBegun ? 1 : 0) }

  /// Commits. Throws if the server rolled back instead, which it reports as success after a failed statement.
  func commit() throws(PostgresError) {
    if stage == .single { try flush() }
    guard stage == .inside || stage == .notBegun && hasPending else { return forget() }
    warnings.uncommittedNode = nil
    let result = try run(BoundStatement.all(in: "commit", file: nil))
    if let node = warnings.uncommittedNode {
      throw .server(
        ServerError(sqlState: SQLState("08006"), message: "the node \(node) failed while it committed; it does so when it is back"))
    }
    guard result?.tag == "COMMIT" else {
      throw .decoding("could not commit the transaction: a statement in it had failed, so all of it was rolled back")
    }
    stage = .outside
  }

  func rollback() throws(PostgresError) {
    let hasBegun = stage == .inside
    forget()
    if hasBegun { try execute("rollback") }
  }

  private func forget() {
    (pending, pendingByteCount) = ([], 0)
    stage = .outside
  }

  /// Runs several statements with the simple protocol.
  ///
  /// - Source: libpq, PQexec.
  func execute(_ sql: String, file: String? = nil) throws(PostgresError) {
    try flush()
    let result = unsafe ResultHandle(PQexec(pointer, sql))
    try check(result, file: file, sql: sql)
  }

  /// Runs a statement with binary parameters, after the pending statements.
  func execute(_ file: SQLFile, _ values: [Value]) throws(PostgresError) -> ResultHandle {
    guard stage != .outside, stage != .single || pending.isEmpty else {
      throw .decoding("cannot run \(file.path): a transaction of one statement has no other")
    }
    if stage == .single { stage = .outside }
    guard let result = try run([BoundStatement(file, values)]) else { throw .decoding("the statement \(file.path) has no result") }
    return result
  }

  /// Runs the pending and the given statements in one round trip.
  ///
  /// - Returns: the result of the last one.
  /// - Throws: the error of the first that failed; the server skips those after it.
  /// - Source: libpq, "Pipeline Mode".
  private func run(_ statements: [BoundStatement]) throws(PostgresError) -> ResultHandle? {
    let all = pending + statements
    (pending, pendingByteCount) = ([], 0)
    if stage == .notBegun { stage = .inside }
    if all.count == 1 {
      let result = unsafe ResultHandle(all[0].withPointers { unsafe PQexecParams(pointer, $0, $1, $2, $3, $4, $5, 1) })
      try check(result, all[0])
      return result
    }
    guard unsafe PQenterPipelineMode(pointer) == 1 else { throw lost() }
    defer { _ = unsafe PQexitPipelineMode(pointer) }
    for statement in all {
      guard unsafe statement.withPointers({ unsafe PQsendQueryParams(pointer, $0, $1, $2, $3, $4, $5, 1) }) == 1 else { throw lost() }
    }
    guard unsafe PQpipelineSync(pointer) == 1 else { throw lost() }
    return try results(of: all)
  }

  private func results(of statements: [BoundStatement]) throws(PostgresError) -> ResultHandle? {
    var last: ResultHandle?
    var failure: PostgresError?
    for statement in statements {
      // Each statement's results end with nil.
      while let result = nextResult() {
        do throws(PostgresError) { try check(result, statement) } catch { failure = failure ?? error }
        last = result
      }
    }
    while let result = nextResult(), result.status != PGRES_PIPELINE_SYNC {}
    // Only the end of the results shows that the server closed the connection.
    if case .server(let error) = failure, isBroken { throw .connectionLost(error.message) }
    if let failure { throw failure }
    return last
  }

  /// Returns the result columns of a statement and the kinds of its parameters, as the server describes them, without running it. A kind
  /// is nil for types that no value has.
  ///
  /// - Source: libpq, PQprepare and PQdescribePrepared.
  func describe(_ file: SQLFile) throws(PostgresError) -> (columns: [ResultColumn], parameters: [String: ValueKind?]) {
    try flush()
    try check(unsafe ResultHandle(PQprepare(pointer, "", file.text, 0, nil)), file: file.path, sql: file.text)
    let result = unsafe ResultHandle(PQdescribePrepared(pointer, ""))
    try check(result, file: file.path, sql: file.text)
    let columns = (0..<result.columnCount).map { place in
      let type = result.typeOID(place)
      return ResultColumn(
        name: result.columnName(place), kind: TypeOID.kinds[type], isNumeric: TypeOID.isNumeric(type), isBoolean: type == TypeOID.bool,
        isJSON: type == TypeOID.jsonb)
    }
    let kinds = file.parameterNames.indices.map { TypeOID.kinds[result.parameterTypeOID($0)] }
    return (columns, Dictionary(uniqueKeysWithValues: zip(file.parameterNames, kinds)))
  }

  /// Sends a statement whose rows are read one by one, as text.
  ///
  /// - Source: libpq, PQsendQueryParams and PQsetSingleRowMode.
  func sendStreaming(_ file: SQLFile, _ values: [Value]) throws(PostgresError) {
    try flush()
    let sent = unsafe BoundStatement(file, values).withPointers { unsafe PQsendQueryParams(pointer, $0, $1, $2, $3, $4, $5, 0) }
    guard sent == 1, unsafe PQsetSingleRowMode(pointer) == 1 else { throw lost() }
  }

  /// Returns the next result of a sent statement; nil at the end.
  func nextResult() -> ResultHandle? {
    guard let next = unsafe PQgetResult(pointer) else { return nil }
    return unsafe ResultHandle(next)
  }

  func putCopy(_ bytes: [UInt8]) throws(PostgresError) {
    let sent = unsafe bytes.withUnsafeBytes { buffer in
      unsafe PQputCopyData(pointer, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
    }
    guard sent == 1 else { throw lost() }
  }

  /// Ends a COPY. With an error text, the server discards the received rows.
  func endCopy(error: String?, sql: String, file: String? = nil) throws(PostgresError) -> Int {
    guard unsafe PQputCopyEnd(pointer, error) == 1 else { throw lost() }
    var count = 0
    var failure: PostgresError?
    while let result = nextResult() {
      do throws(PostgresError) {
        try check(result, file: file, sql: sql)
        count = max(count, result.affectedRows)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, error == nil { throw failure }
    return count
  }

  /// Starts a COPY from standard input.
  func beginCopy(_ sql: String) throws(PostgresError) {
    try flush()
    let result = unsafe ResultHandle(PQexec(pointer, sql))
    guard result.status == PGRES_COPY_IN else {
      try check(result, file: nil, sql: sql)
      throw .decoding("statement is no copy from standard input: \(sql.prefix(60))")
    }
  }

  /// Runs a COPY to standard output, passes its chunks to `sink`, and returns the number of rows.
  func copyOut(_ sql: String, _ sink: ([UInt8]) throws -> Void) throws -> Int {
    try flush()
    let begun = unsafe ResultHandle(PQexec(pointer, sql))
    guard begun.status == PGRES_COPY_OUT else {
      try check(begun, file: nil, sql: sql)
      throw PostgresError.decoding("statement is no copy to standard output: \(sql.prefix(60))")
    }
    var sinkFailure: (any Error)?
    while true {
      var buffer: UnsafeMutablePointer<CChar>?
      let count = unsafe PQgetCopyData(pointer, &buffer, 0)
      guard count > 0, let bytes = unsafe buffer else { break }
      defer { unsafe PQfreemem(bytes) }
      guard sinkFailure == nil else { continue }
      let chunk = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      do { try sink(chunk) } catch { sinkFailure = error }
    }
    var rows = 0
    while let result = nextResult() {
      try check(result, file: nil, sql: sql)
      rows = max(rows, result.affectedRows)
    }
    if let sinkFailure { throw sinkFailure }
    return rows
  }

  func lost() -> PostgresError { unsafe .connectionLost(Self.message(pointer)) }

  func check(_ result: ResultHandle, file: String?, sql: String) throws(PostgresError) {
    try check(result, file: file) { BoundStatement.lineAndColumn(of: $0, in: sql) }
  }

  private func check(_ result: ResultHandle, _ statement: BoundStatement) throws(PostgresError) {
    try check(result, file: statement.file, place: statement.lineAndColumn)
  }

  /// Throws the error of a failed result, with the file and the position in it.
  private func check(
    _ result: ResultHandle, file: String?, place: (_ position: Int) -> (line: Int, column: Int)
  ) throws(PostgresError) {
    switch result.status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_EMPTY_QUERY: return
    default:
      guard let error = result.serverError(file: file, place: place) else { throw lost() }
      if error.sqlState == .queryCanceled { throw .cancelled }
      if isBroken { throw .connectionLost(error.message) }
      throw .server(error)
    }
  }
}

/// The server's warnings that matter to a commit; all others are dropped.
private final class Warnings {
  /// A node that failed to commit its part of a transaction, as `host:port`.
  ///
  /// - Source: Citus 13.2, FinishRemoteTransactionCommit of remote_transaction.c.
  var uncommittedNode: String?

  func listen(_ connection: OpaquePointer) {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe PQsetNoticeProcessor(
      connection,
      { own, text in
        guard let own = unsafe own, let text = unsafe text else { return }
        let match = unsafe String(cString: text).firstMatch(of: #/failed to commit transaction on (\S+:\d+)/#)
        guard let match else { return }
        unsafe Unmanaged<Warnings>.fromOpaque(own).takeUnretainedValue().uncommittedNode = String(match.output.1)
      }, own)
  }
}

/// A handle that cancels the running statement from another thread.
///
/// It is safe to share: PQcancel is the one libpq call meant for another thread, and the pointer is only freed at the end.
///
/// - Source: libpq, PQcancel.
@safe final class CancelHandle: @unchecked Sendable {
  private let pointer: OpaquePointer?

  init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  deinit { unsafe PQfreeCancel(pointer) }

  func cancel() {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = unsafe PQcancel(pointer, &buffer, Int32(buffer.count))
  }
}

/// Null-terminated copies of texts, freed together.
@safe final class CStrings {
  private var storage: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { unsafe storage = texts.map { unsafe strdup($0) } + [nil] }

  deinit {
    // swift-format-ignore
    for unsafe pointer in unsafe storage { unsafe free(pointer) }
  }

  var pointers: [UnsafePointer<CChar>?] { unsafe storage.map { unsafe UnsafePointer($0) } }
}
