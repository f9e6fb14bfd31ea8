internal import Domain
package import Postgres
package import Wording

/// A truncated input. Its valid part was ingested, but the night is incomplete.
///
/// A complete file of the same name that repeats it resolves it, or a user who resolves its parked end. A history is truncated until its
/// last page is read.
package struct TruncatedInput: Sendable {
  var kind: String
  var file: String
  var line: Int64
  var reason: Phrase
  /// The parked item of the truncated end; nil for a page of a history.
  package var parkedID: String?

  /// The truncation, with the way to resolve it.
  package var phrase: Phrase {
    let place: [String: Phrase] = ["kind": .code(kind), "file": .plain(file), "line": .plain(line), "reason": reason]
    guard let parkedID else { return Phrase("night.input_page", place) }
    return Phrase("night.input_cut", place.merging(["id": .plain(parkedID)]) { $1 })
  }

  /// Returns the truncated inputs known at the context's clock, by kind and file.
  package static func open(context: JobContext, on session: Session) async throws -> [TruncatedInput] {
    return try await session.transaction(.readOnlySnapshot) { tx in try open(asOf: context.asOfValue, in: &tx, sql: context.sql) }
  }

  /// Returns the truncated inputs known at an instant, by kind and file.
  ///
  /// - Parameter batchID: the only batch to check; nil for all.
  package static func open(asOf: Value, batchID: Int64? = nil, in tx: inout DatabaseTransaction, sql: SQLFiles) throws -> [TruncatedInput] {
    let batch = batchID.map { Value.int8($0) } ?? .null
    let bounds = ["as_of": asOf, "batch_id": batch]
    let truncated = try tx.rows(sql(RunsSQL.truncatedInputs), bounds).map {
      try TruncatedInput(kind: $0.0, file: $0.1, line: $0.2, reason: Phrase(json: $0.3), parkedID: $0.4)
    }
    return try truncated
      + tx.rows(sql(RunsSQL.openPages), bounds).map { TruncatedInput(kind: $0.0, file: $0.1, line: $0.2, reason: "night.history_page") }
  }

  /// Returns the truncated input of one batch that this run has read; nil if its input was complete. The batch's clock may be later than
  /// the run's, since input is known after the last night at the earliest.
  package static func of(batchID: Int64, context: JobContext, on session: Session) async throws -> TruncatedInput? {
    return try await session.transaction(.readOnlySnapshot) { tx in
      try open(asOf: .text("infinity"), batchID: batchID, in: &tx, sql: context.sql)
    }.first
  }
}
