internal import Ladder
internal import Postgres

/// A writer of the ladder's decisions.
struct DecisionWriter {
  /// The tables of one kind of run.
  struct Tables {
    var matches, refusals, secondCharges, ambiguities: String

    /// The working tables of sql/match/work_tables.sql.
    static let working = Tables(
      matches: "match_decided", refusals: "match_refused", secondCharges: "match_second", ambiguities: "match_ambiguous")
    /// The tables that store the decisions of partitions.
    static let partitions = Tables(
      matches: "partition_matches", refusals: "partition_refused_claims", secondCharges: "partition_second_charges",
      ambiguities: "partition_ambiguous_candidates")
  }

  let facts: ComponentFacts
  let tables: Tables

  func write(_ decision: Decision, _ tx: inout DatabaseTransaction) throws {
    try copy(decision.matches, to: tables.matches, ["order_id", "charge_id", "original_transaction_id", "rung"], &tx) { match, row in
      try row.bytes(facts.orderIDs.bytes(match.order))
      try row.bytes(facts.chargeIDs.bytes(match.charge))
      try row.bytes(original(ofCharge: match.charge))
      try row.text(match.rung.code)
    }
    try write(decision.refusals, &tx)
    try copy(decision.secondCharges, to: tables.secondCharges, ["charge_id", "original_transaction_id", "order_id"], &tx) { second, row in
      try row.bytes(facts.chargeIDs.bytes(second.charge))
      try row.bytes(original(ofCharge: second.charge))
      try row.bytes(facts.orderIDs.bytes(second.order))
    }
    try write(decision.ambiguities, &tx)
  }

  private func write(_ refusals: [Refusal], _ tx: inout DatabaseTransaction) throws {
    let columns = ["order_id", "class", "rung", "charge_id", "evidence_sha256", "counterpart", "is_explicit"]
    try copy(refusals, to: tables.refusals, columns, &tx) { refusal, row in
      try row.bytes(facts.orderIDs.bytes(refusal.order))
      try row.text(refusal.reason.rawValue)
      try row.text(refusal.rung.code)
      try row.optionalBytes(refusal.charge.map { Array(facts.chargeIDs.bytes($0)) })
      try row.optionalBytes(refusal.evidence.map { Array(facts.hashes.bytes(Int($0))) })
      try row.optionalBytes(refusal.holder.map { Array(facts.orderIDs.bytes($0)) })
      try row.bool(refusal.isExplicit)
    }
  }

  private func write(_ ambiguities: [Ambiguity], _ tx: inout DatabaseTransaction) throws {
    let columns = ["charge_id", "original_transaction_id", "order_id", "tie", "delay_seconds", "rank"]
    try copy(ambiguities, to: tables.ambiguities, columns, &tx) { ambiguity, row in
      try row.bytes(facts.chargeIDs.bytes(ambiguity.charge))
      try row.bytes(original(ofCharge: ambiguity.charge))
      try row.bytes(facts.orderIDs.bytes(ambiguity.order))
      try row.text(ambiguity.tie.rawValue)
      try row.int8(Int64((Double(ambiguity.delay) / 1_000_000).rounded(.toNearestOrAwayFromZero)))
      try row.int4(Int32(ambiguity.rank))
    }
  }

  private func copy<Row>(
    _ rows: [Row], to table: String, _ columns: [String], _ tx: inout DatabaseTransaction,
    write: (Row, inout CopyWriter) throws -> Void
  ) throws {
    guard !rows.isEmpty else { return }
    _ = try tx.copyIn("copy \(table) (\(columns.joined(separator: ", "))) from stdin (format binary)") { writer in
      for row in rows {
        try writer.beginRow(columns: columns.count)
        try write(row, &writer)
      }
    }
  }

  private func original(ofCharge charge: Int) -> ArraySlice<UInt8> {
    facts.transactions.bytes(Int(facts.component.charges[charge].original))
  }
}
