package import Postgres

/// The files of sql/erase: the erasure of a person.
package enum EraseSQL {
  package static let known = Statement("erase/known.sql", gives: .bool, .bool)
  package static let tombstone = Statement("erase/tombstone.sql", gives: .text)

  /// Tables with identifiers of a person, in the order of their changes.
  package static let tables = [
    "users", "user_versions", "user_tokens", "orders", "order_versions", "uploads", "renewal_plan_members", "break_events",
    "pending_breaks", "ended_pending_breaks", "pieces", "open_signals", "signal_events", "case_decisions", "case_undos", "case_notes",
    "case_marks", "case_batches", "attachment_bodies", "case_attachments", "console_cases", "console_changed", "webhook_cases",
    "webhook_events", "case_events", "case_leases", "list_entries", "list_removals", "consumption_answers", "rule_changes",
    "period_steps", "console_views", "settings_texts", "parked_items", "parked_outcomes", "changes",
  ].map { name in (name: name, statement: Statement("erase/\(name).sql")) }

  package static let all: [any DeclaredStatement] = [known, tombstone] + tables.map { $0.statement }
}
