internal import Domain
internal import Intake
internal import JobCore
internal import Logging
internal import Postgres

/// Reads one file of rows (orders, users or catalogue) into the database in chunks.
struct RowIngest<Row: IngestedRow>: Sendable {
  let context: JobContext
  let session: Session

  /// Maximum number of rows per transaction: large enough to amortise it, small enough to fit in memory.
  static var chunkRowsMax: Int { 20_000 }
  /// Maximum number of bytes that the rows and parked rows of one transaction occupy in their file.
  static var chunkBytesMax: Int { 8 << 20 }

  /// Ingests a file from its batch's checkpoint.
  func run(path: String, format: InputFormat?, mapping: InputMapping?, batch: Batch) async throws -> Tally {
    var reader = try RowFileReader<Row>(path: path, format: format, end: context.inputEnd(Row.kind), mapping: mapping)
    try reader.skip(items: batch.itemsDone)
    let awaited = try await AwaitedRecords.of(Row.kind, batch: batch, context: context, on: session)
    var tally = batch.tally
    // Read the next chunk while the previous one is stored.
    try await withThrowingTaskGroup(of: Tally.self) { group in
      var isLast = false
      while !isLast {
        let chunk = try Self.nextChunk(&reader, awaited)
        isLast = chunk.isLast
        if group.isEmpty, !isLast, let statement = Row.deferringIndexes { try await deferIndexes(statement) }
        if let stored = try await group.next() { tally = tally + stored }
        group.addTask { try await store(chunk, batchID: batch.batchID, isLast: chunk.isLast) }
        context.progress.report(stage: Row.kind, done: tally.input, total: nil)
      }
      while let stored = try await group.next() { tally = tally + stored }
    }
    warn(of: reader, file: path)
    return tally
  }

  /// Warns of ignored columns, and of ids that a spreadsheet shortened.
  private func warn(of reader: RowFileReader<Row>, file: String) {
    for column in reader.unrecognizedColumns {
      context.log.warning("column ignored", metadata: ["input.file": "\(file)", "input.column": "\(column)"])
    }
    for (column, text) in reader.exponentialTexts.sorted(by: { $0.key < $1.key }) {
      context.log.warning(
        "column \"\(column)\" holds numbers in exponential form, as a spreadsheet shortens ids: the digits that it left out are lost",
        metadata: [
          "input.file": "\(file)", "input.line": "\(text.line)", "input.value": "\(text.value)", "row.count": "\(text.count)",
          "hint": "export the column as text and read the file again",
        ])
    }
  }

  private static func nextChunk(_ reader: inout RowFileReader<Row>, _ awaited: AwaitedRecords) throws -> Chunk<Row> {
    var chunk = Chunk<Row>(header: reader.headerBytes)
    while chunk.itemCount < chunkRowsMax, chunk.byteCount < chunkBytesMax {
      guard let result = try reader.next() else {
        chunk.isLast = true
        break
      }
      chunk.add(result, awaited)
      chunk.byteCount += reader.recordByteCount
    }
    return chunk
  }

  /// Defers the indexes of an empty table until its first load, which takes several transactions, is complete.
  private func deferIndexes(_ statement: Statement<Bool>) async throws {
    _ = try await session.transaction { [sql = context.sql] tx in try tx.rows(sql(statement)) }
  }

  func store(_ chunk: Chunk<Row>, batchID: Int64, isLast: Bool) async throws -> Tally {
    let sql = context.sql
    let (tally, warnings) = try await session.retrying { tx in
      let batchID = try tx.currentBatch(batchID, sql: sql)
      var tally = Tally(input: chunk.itemCount, parked: chunk.parked.count)
      let warnings = chunk.rows.isEmpty ? [] : try Row.record(chunk.rows, batchID: batchID, into: &tally, &tx, sql: sql)
      try tx.park(chunk.parked, header: chunk.header, batchID: batchID, sql: sql)
      try tx.noteCompleted(chunk.completed, batchID: batchID, sql: sql)
      try tx.checkpoint(
        batchID, items: chunk.itemCount, tally: tally, newestFactAt: chunk.rows.compactMap(\.factAt).max(),
        isLast: isLast, sql: sql)
      return (tally, warnings)
    }
    for warning in warnings { context.log.warning("\(warning)", metadata: ["batch.id": "\(batchID)"]) }
    return tally
  }
}

struct Chunk<Row: IngestedRow>: Sendable {
  var rows: [Row] = []
  var parked: [ParkedItem] = []
  /// Truncated records of earlier files that this chunk contains in full.
  var completed: [String] = []
  var header: [UInt8]?
  var byteCount = 0
  var isLast = false

  var itemCount: Int { rows.count + parked.count }

  mutating func add(_ result: RowResult<Row>, _ awaited: AwaitedRecords) {
    switch result {
    case .row(let row, let line):
      rows.append(row)
      completed += awaited.completed(by: row.key, line: line)
    case .parked(let item):
      parked.append(item)
      if !item.isTruncated { completed += awaited.completed(by: item.raw, line: item.line) }
    }
  }
}

/// A kind of row that can be ingested.
protocol IngestedRow: InputRow {
  /// Value of `keyColumn`.
  var key: String { get }
  /// Instant of the row's last change; nil for kinds of rows without one.
  var factAt: Timestamp? { get }
  /// The statement that defers the indexes of an empty table; nil for tables that keep them.
  static var deferringIndexes: Statement<Bool>? { get }
  /// Records rows and adds their outcomes to `tally`.
  ///
  /// - Returns: warnings about rows that were recorded.
  static func record(
    _ rows: [Self], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction, sql: SQLFiles
  ) throws -> [String]
}

extension IngestedRow {
  static var deferringIndexes: Statement<Bool>? { nil }
}
