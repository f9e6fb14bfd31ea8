internal import JobCore
internal import Postgres

/// The distribution of all facts among the pieces of a run, whole components each.
///
/// The facts are read twice: once to find the components, and once to store the rows of each piece together. A piece is then read without
/// any join.
struct FactDistribution {
  /// Maximum number of bytes of rows that wait to be stored.
  private static let bufferBytesMax = 32 << 20
  /// Number of bytes from which the rows of a piece are stored.
  private static let chunkBytes = 1 << 16
  /// Slots for keys for each order or charge, whichever are more. On average both together have fewer than three keys.
  private static let slotsPerRow = 4

  let context: JobContext
  let pieces: Int32

  /// Stores the facts of the input views, by a second connection.
  ///
  /// - Parameter rowCount: number of orders or of charges, whichever is greater.
  func store(rowCount: Int, _ tx: inout DatabaseTransaction) throws {
    // Whole tables are read, and both times in the same order.
    try tx.execute("set local enable_nestloop = off; set local work_mem = '256MB'")
    try tx.showEverything(files: context.sql)
    var components = try components(rowCount: rowCount, &tx)
    let clear = try context.sql(PiecesSQL.clearFacts)
    try DatabaseTransaction.separate(context.connectionSettings(as: .jobs)) { writer in
      _ = try writer.run(clear)
      var row = 0
      for list in FactList.allCases { try store(list, &components, &row, &tx, &writer) }
      guard row == components.rowCount else {
        throw JobError(
          "could not distribute the facts: they were \(components.rowCount) rows and then \(row)",
          hint: "Run it again; if it happens again, decide with --pieces 1.")
      }
    }
  }

  private func components(rowCount: Int, _ tx: inout DatabaseTransaction) throws -> RowComponents {
    var components = RowComponents(slots: rowCount * Self.slotsPerRow)
    repeat {
      for list in FactList.allCases {
        let keys = list.keys
        try list.read(&tx, sql: context.sql) { row in components.add(try row.keys(keys)) }
      }
    } while components.endPass()
    return components
  }

  private func store(
    _ list: FactList, _ components: inout RowComponents, _ row: inout Int, _ tx: inout DatabaseTransaction,
    _ writer: inout DatabaseTransaction
  ) throws {
    let chunkBytes = min(Self.chunkBytes, Self.bufferBytesMax / Int(pieces))
    var (buffers, chunks) = ([[UInt8]](repeating: [], count: Int(pieces)), [Int32](repeating: 0, count: Int(pieces)))
    _ = try writer.copyIn("copy piece_facts (piece, list, chunk, rows) from stdin (format binary)") { output in
      func flush(_ piece: Int) throws {
        try output.beginRow(columns: 4)
        try output.int4(Int32(piece))
        try output.int4(list.rawValue)
        try output.int4(chunks[piece])
        try output.bytes(buffers[piece])
        chunks[piece] += 1
        buffers[piece].removeAll(keepingCapacity: true)
      }
      try list.read(&tx, sql: context.sql) { fact in
        let piece = Int(components.piece(ofRow: row, of: pieces))
        row += 1
        buffers[piece] += fact.bytes
        try fact.skipRest()
        if buffers[piece].count >= chunkBytes { try flush(piece) }
      }
      for piece in buffers.indices where !buffers[piece].isEmpty { try flush(piece) }
    }
  }
}

extension CopyRow {
  /// Returns the keys in some columns, and reads the row to its end.
  fileprivate mutating func keys(_ keys: [FactList.Key]) throws -> [RowComponents.Key] {
    var (found, column) = ([RowComponents.Key](), 0)
    found.reserveCapacity(keys.count)
    for key in keys {
      while column < key.column {
        _ = try cell()
        column += 1
      }
      column += 1
      guard let text = try cell() else { continue }
      var hasher = Hasher()
      hasher.combine(key.kind.rawValue)
      unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      found.append(RowComponents.Key(hash: UInt64(bitPattern: Int64(hasher.finalize())), isPassive: key.isPassive))
    }
    try skipRest()
    return found
  }
}
