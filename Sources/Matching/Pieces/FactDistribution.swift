internal import JobCore
internal import Postgres

/// The distribution of all facts among the pieces of a run, whole components each.
///
/// The facts are read twice: once to find the components, and once to store the rows of each piece together. A piece is then read without
/// any join. A row is identified by its position, so both readings must return the same order. A checksum confirms it, because new
/// statistics between them can change a plan.
struct FactDistribution {
  /// Maximum number of bytes of rows that wait to be stored.
  private static let bufferBytesMax = 32 << 20
  /// Number of bytes from which the rows of a piece are stored.
  private static let chunkBytes = 1 << 16
  /// Maximum number of attempts to read the facts twice in one order.
  private static let attemptsMax = 3
  /// Slots for keys for each order or charge, whichever are more. On average both together have fewer than three keys.
  private static let slotsPerRow = 4

  let context: JobContext
  let pieces: Int32

  /// Stores the facts of the input views, by a second connection.
  ///
  /// - Parameter rowCount: number of orders or of charges, whichever is greater.
  func store(rowCount: Int, _ tx: inout DatabaseTransaction) throws {
    // One process reads each table from its beginning, so the order does not change.
    try tx.execute(
      "set local enable_nestloop = off; set local work_mem = '256MB'; set local max_parallel_workers_per_gather = 0;"
        + " set local synchronize_seqscans = off")
    try tx.showEverything(files: context.sql)
    for _ in 0..<Self.attemptsMax {
      do { return try distribute(rowCount: rowCount, &tx) } catch is RowOrder.Changed { continue }
    }
    throw JobError(
      "could not distribute the facts: the database returned them in another order each time",
      hint: "Start the job again; nothing was decided.")
  }

  private func distribute(rowCount: Int, _ tx: inout DatabaseTransaction) throws {
    var (components, expected) = try components(rowCount: rowCount, &tx)
    let clear = try context.sql(PiecesSQL.clearFacts)
    try DatabaseTransaction.separate(context.connectionSettings(as: .jobs)) { writer in
      _ = try writer.run(clear)
      var found = RowOrder()
      for list in FactList.allCases { try store(list, &components, &found, &tx, &writer) }
      guard found == expected else { throw RowOrder.Changed() }
    }
  }

  private func components(rowCount: Int, _ tx: inout DatabaseTransaction) throws -> (RowComponents, RowOrder) {
    var components = RowComponents(slots: rowCount * Self.slotsPerRow)
    var order: RowOrder
    repeat {
      order = RowOrder()
      for list in FactList.allCases {
        let keys = list.keys
        try list.read(&tx, sql: context.sql) { row in
          order.add(row.bytes)
          components.add(try row.keys(keys))
        }
      }
    } while components.endPass()
    return (components, order)
  }

  private func store(
    _ list: FactList, _ components: inout RowComponents, _ order: inout RowOrder, _ tx: inout DatabaseTransaction,
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
        // Rows beyond those of the first reading fail the comparison at the end.
        let piece = order.count < components.rowCount ? Int(components.piece(ofRow: order.count, of: pieces)) : 0
        order.add(fact.bytes)
        buffers[piece] += fact.bytes
        try fact.skipRest()
        if buffers[piece].count >= chunkBytes { try flush(piece) }
      }
      for piece in buffers.indices where !buffers[piece].isEmpty { try flush(piece) }
    }
  }
}

/// The number and order of rows that were read.
private struct RowOrder: Equatable {
  /// The error that a second reading returned another order.
  struct Changed: Error {}

  private(set) var count = 0
  private var checksum: UInt64 = 0

  mutating func add(_ row: ArraySlice<UInt8>) {
    count += 1
    checksum = (checksum ^ row.hashed(with: 0)) &* 0x0000_0100_0000_01B3
  }
}

extension ArraySlice<UInt8> {
  /// Returns a hash that is the same within this process.
  fileprivate func hashed(with kind: UInt8) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
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
      found.append(RowComponents.Key(hash: text.hashed(with: key.kind.rawValue), isPassive: key.isPassive))
    }
    try skipRest()
    return found
  }
}
