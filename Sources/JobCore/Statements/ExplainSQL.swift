package import Postgres

/// The files of sql/explain: the explanation of an id as phrases.
package enum ExplainSQL {
  /// Columns: text, and whether the line belongs to the one before.
  package typealias Lines = Statement<String, Bool>
  /// Columns: kind, text, a JSON object.
  package typealias Facts = Statement<String?, String, String?>
  /// Columns: text, kind, rung, the other side, evidence.
  package typealias Decisions = Statement<String, String, String?, String?, String?>

  package static let allowedSandbox = lines("allowed_sandbox")
  package static let breaks = lines("breaks")
  package static let carriedEvidence = Statement("explain/carried_evidence.sql", gives: .optionalText, .optionalText, .bool)
  package static let chains = Statement("explain/chains.sql", gives: .text, .text, .text)
  package static let charge = lines("charge")
  package static let compared = Statement("explain/compared.sql", gives: .text, .optionalText, .optionalInt8)
  package static let confidence = Statement("explain/confidence.sql", gives: .text)
  package static let consumption = Statement("explain/consumption.sql", gives: .optionalText, .text, .optionalText, .bool)
  package static let decisionsOfCharge: Decisions = decisions("decisions_of_charge")
  package static let decisionsOfOrder: Decisions = decisions("decisions_of_order")
  package static let evidence = lines("evidence")
  package static let evidenceBytes = Statement("explain/evidence_bytes.sql", gives: .bytes, .optionalText)
  package static let notifications = facts("notifications")
  package static let order = lines("order")
  package static let people = Statement("explain/people.sql", gives: .text, .text)
  package static let recorded = Statement(
    "explain/recorded.sql", gives: .text, .text, .optionalText, .text, .optionalText, .optionalText, .optionalText, .optionalInt8)
  package static let signals = lines("signals")
  package static let subject = Statement("explain/subject.sql", gives: .text, .text, .optionalText)
  package static let subscriptions = facts("subscriptions")
  package static let unqueriedSources = facts("unqueried_sources")
  package static let user = lines("user")

  private static func lines(_ name: String) -> Lines { Statement("explain/\(name).sql", gives: .text, .bool) }

  private static func facts(_ name: String) -> Facts { Statement("explain/\(name).sql", gives: .optionalText, .text, .optionalText) }

  private static func decisions(_ name: String) -> Decisions {
    Statement("explain/\(name).sql", gives: .text, .text, .optionalText, .optionalText, .optionalText)
  }

  package static let all: [any DeclaredStatement] = [
    allowedSandbox, breaks, carriedEvidence, chains, charge, compared, confidence, consumption, decisionsOfCharge, decisionsOfOrder,
    evidence, evidenceBytes, notifications, order, people, recorded, signals, subject, subscriptions, unqueriedSources, user,
  ]
}
