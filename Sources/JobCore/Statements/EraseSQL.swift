package import Postgres

/// The files of sql/erase: the erasure of a person.
package enum EraseSQL {
  package static let known = Statement("erase/known.sql", ["user_id": .text], gives: .bool, .bool)
  package static let tombstone = Statement("erase/tombstone.sql", ["erased_at": .timestamptz, "user_id": .text], gives: .text)

  /// Tables with identifiers of a person, in the order of their changes.
  package static let tables = [
    table("users", also: ["erased_at": .timestamptz]), table("user_versions"), table("user_tokens"), table("orders"),
    table("order_versions"), table("uploads"), table("renewal_plan_members"), table("break_events", also: pattern),
    table("pending_breaks", also: pattern), table("ended_pending_breaks", also: pattern),
    table("pieces", [:]), table("open_signals", ["pseudonym": .text], also: pattern), table("signal_events", also: pattern),
    table("case_decisions", also: pattern), table("case_undos", also: pattern), table("case_notes", also: pattern),
    table("case_marks", also: pattern), table("case_batches"), table("attachment_bodies", ["user_id": .text]),
    table("case_attachments", also: pattern), table("console_cases"), table("console_changed"), table("webhook_cases"),
    table("webhook_events"), table("case_events", also: pattern), table("case_leases"), table("list_entries", also: pattern),
    table("list_removals", ["pseudonym": .text], also: pattern), table("consumption_answers", ["pseudonym": .text], also: pattern),
    table("rule_changes", ["pseudonym": .text], also: pattern), table("period_steps", ["pseudonym": .text], also: pattern),
    table("console_views", ["pseudonym": .text], also: pattern),
    table("settings_texts", ["pseudonym": .text], also: pattern), table("parked_items", ["pseudonym": .text], also: pattern),
    table("parked_outcomes", ["pseudonym": .text], also: pattern), table("changes"),
  ]
  private static let both: [String: ValueKind] = ["user_id": .text, "pseudonym": .text]
  /// The parameter of tables in which texts may contain an identifier.
  private static let pattern: [String: ValueKind] = ["pattern": .text]

  private static func table(
    _ name: String, _ parameters: [String: ValueKind] = both, also more: [String: ValueKind] = [:]
  ) -> (name: String, statement: Statement< >) {
    (name, Statement("erase/\(name).sql", parameters.merging(more) { $1 }))
  }

  package static let all: [any DeclaredStatement] = [known, tombstone] + tables.map { $0.statement }
}
