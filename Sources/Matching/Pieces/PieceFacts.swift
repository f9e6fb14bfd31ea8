internal import JobCore
internal import Postgres

/// The stored facts of one piece.
struct PieceFacts {
  /// Number of chunks that are read at a time, of at most 64 kB and one row.
  private static let chunksAtATime: Int32 = 16

  let piece: Int32

  func read(_ tx: inout DatabaseTransaction, in context: JobContext) throws -> ComponentFacts {
    let chunks = try context.sql(PiecesSQL.facts)
    return try ComponentReader.read(in: context) { list, row in
      var first: Int32 = 0
      while true {
        let found = try tx.rows(
          chunks,
          [
            "piece": .int4(piece), "list": .int4(list.rawValue), "first_chunk": .int4(first),
            "last_chunk": .int4(first + Self.chunksAtATime - 1),
          ])
        for chunk in found { try CopyRow.each(in: chunk, of: chunks.text, row) }
        if found.count < Self.chunksAtATime { return }
        first += Self.chunksAtATime
      }
    }
  }
}
