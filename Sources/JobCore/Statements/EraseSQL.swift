package import Postgres

/// The files of sql/erase: the erasure of a person.
package enum EraseSQL {
  package static let known = Statement("erase/known.sql", gives: .bool, .optionalText)
  package static let tombstone = Statement("erase/tombstone.sql", gives: .text, .text)
  package static let columns = Statement("erase/columns.sql", gives: .int8)
  package static let parkedRows = Statement("erase/parked_rows.sql", gives: .text, .text, .text, .optionalBytes, .bytes)

  /// A kind of identifier in a column, as in `erase_columns`.
  package enum Kind: String, Sendable { case user, subject, signal, caseID = "case", items, text, detail, inputs, name, note, reason }

  /// A table with identifiers of a person.
  package struct Table: Sendable {
    package let name: String
    /// Columns with their kinds; without any, the table has a file.
    package let columns: KeyValuePairs<String, Kind>

    init(_ name: String, _ columns: KeyValuePairs<String, Kind> = [:]) { (self.name, self.columns) = (name, columns) }

    package var statement: Statement<>? { columns.isEmpty ? Statement("erase/\(name).sql") : nil }
  }

  private static let order: KeyValuePairs<String, Kind> = ["user_id": .user, "application_username": .name, "operator_id": .user]
  private static let found: KeyValuePairs<String, Kind> = ["user_id": .user, "detail": .detail]

  /// Tables with identifiers of a person, in the order of their changes.
  package static let tables = [
    Table("users"), Table("user_versions"), Table("user_tokens", ["user_id": .user]), Table("orders", order),
    Table("order_versions", order), Table("uploads", ["user_id": .user]), Table("renewal_plan_members", ["user_id": .user]),
    Table("break_events", found), Table("pending_breaks", found), Table("ended_pending_breaks", found), Table("partitions"),
    Table("open_signals"),
    Table("signal_events", ["signal_id": .signal, "subject_id": .subject, "user_id": .user, "detail": .detail, "inputs": .inputs]),
    Table("case_decisions", ["case_id": .caseID, "subject_id": .subject, "reason": .text]),
    Table("case_undos", ["case_id": .caseID, "reason": .text]), Table("case_notes", ["case_id": .caseID, "note": .note]),
    Table("case_marks", ["case_id": .caseID, "item_ids": .items, "reason": .reason]),
    Table("case_batches", ["case_id": .caseID]), Table("attachment_bodies"), Table("case_attachments"), Table("console_cases"),
    Table("console_changed"), Table("webhook_cases", ["case_id": .caseID]), Table("webhook_events", ["subject_id": .caseID]),
    Table("case_events", ["case_id": .caseID, "reason": .text]), Table("case_leases", ["case_id": .caseID]),
    Table("list_entries", ["subject_id": .subject, "family": .text, "reason": .text]), Table("list_removals", ["reason": .text]),
    Table("consumption_answers", ["reason": .text]), Table("rule_changes", ["reason": .text]), Table("period_steps", ["reason": .text]),
    Table("console_views"), Table("parked_items"),
    Table("parked_outcomes", ["reason": .text]), Table("changes"),
  ]

  package static let all: [any DeclaredStatement] = [known, tombstone, columns, parkedRows] + tables.compactMap(\.statement)
}
