internal import JobCore
internal import Postgres

/// The facts of all components, in a temporary file, distributed among partitions of whole components.
///
/// A component's partition follows from the ids of its orders and charges. Processes that read the facts at different instants therefore
/// agree on every component that did not change between them; the others are decided when the run is recorded.
struct DistributedFacts: Sendable {
  /// Slots for keys for each order or charge, whichever are more. On average both together have fewer than three keys.
  private static let slotsPerRow = 4

  private let context: JobContext
  private let file: FactFile

  /// Reads all facts.
  ///
  /// - Parameter rowCount: number of orders or of charges, whichever is greater.
  static func read(partitions: Int, rowCount: Int, _ tx: inout DatabaseTransaction, in context: JobContext) throws -> DistributedFacts {
    tx.send("set local enable_nestloop = off; set local work_mem = '256MB'")
    try tx.showAllInputs(files: context.sql)
    var components = RowComponents(slots: rowCount * slotsPerRow)
    var (writer, found) = (try FactFileWriter(), [RowComponents.Key]())
    for list in FactList.allCases {
      let keys = list.keys
      try list.readWhole(&tx, sql: context.sql) { row in
        try row.readKeys(keys, into: &found)
        try writer.add(row.bytes, of: list)
        components.add(found)
      }
      try writer.finish(list)
    }
    let read = writer.finish()
    while components.endPass() {
      for list in FactList.allCases {
        let keys = list.keys
        try read.each(list) { row in
          try row.readKeys(keys, into: &found)
          components.add(found)
        }
      }
    }
    return DistributedFacts(context: context, file: try distribute(read, &components, partitions: partitions))
  }

  private static func distribute(_ read: FactFile, _ components: inout RowComponents, partitions: Int) throws -> FactFile {
    var (writer, index) = (try FactFileWriter(partitions: partitions), 0)
    for list in FactList.allCases {
      try read.each(list) { row in
        try row.skipRest()
        try writer.add(row.bytes, of: list, toPartition: components.partition(ofRow: index, of: partitions))
        index += 1
      }
      try writer.finish(list)
    }
    return writer.finish()
  }

  func facts(ofPartition partition: Int) throws -> ComponentFacts {
    try ComponentReader.read(in: context) { list, row in try file.each(list, ofPartition: partition, row) }
  }
}

extension CopyRow {
  /// Reads the row to its end, and replaces the contents of `found` with the keys in some columns.
  fileprivate mutating func readKeys(_ keys: [FactList.Key], into found: inout [RowComponents.Key]) throws {
    found.removeAll(keepingCapacity: true)
    var column = 0
    for key in keys {
      try skip(key.column - column)
      column = key.column + 1
      guard let text = try cell() else { continue }
      let hash = text.hash(seed: UInt64(key.kind.rawValue))
      found.append(RowComponents.Key(hash: hash, isPassive: key.isPassive, decidesPartition: key.kind.isDecided))
    }
    try skipRest()
  }
}
