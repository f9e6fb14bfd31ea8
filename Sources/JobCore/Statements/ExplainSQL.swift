package import Postgres

/// The files of sql/explain: the explanation of an id as text.
package enum ExplainSQL {
  /// Columns: text, kind, rung, the other side, evidence.
  package typealias Decisions = Statement<String, String, String?, String?, String?>

  package static let allowedSandbox = Statement("explain/allowed_sandbox.sql", gives: .text)
  package static let breaks = Statement("explain/breaks.sql", gives: .text)
  package static let carriedEvidence = Statement("explain/carried_evidence.sql", gives: .optionalText, .optionalText, .bool)
  package static let charge = Statement("explain/charge.sql", gives: .text)
  package static let compared = Statement("explain/compared.sql", gives: .text, .text, .optionalInt8)
  package static let confidence = Statement("explain/confidence.sql", gives: .text)
  package static let decisionsOfCharge: Decisions = decisions("decisions_of_charge", of: "charge_id")
  package static let decisionsOfOrder: Decisions = decisions("decisions_of_order", of: "order_id")
  package static let evidence = Statement("explain/evidence.sql", gives: .text)
  package static let evidenceBytes = Statement("explain/evidence_bytes.sql", gives: .bytes, .optionalText)
  package static let order = Statement("explain/order.sql", gives: .text)
  package static let people = Statement("explain/people.sql", gives: .text, .text)
  package static let recorded = Statement(
    "explain/recorded.sql", gives: .text, .text, .optionalText, .text, .optionalText, .optionalText, .optionalText, .optionalInt8)
  package static let signals = Statement("explain/signals.sql", gives: .text)
  package static let standing = Statement("explain/standing.sql", gives: .optionalText, .text, .optionalText)
  package static let subject = Statement("explain/subject.sql", gives: .text, .text, .optionalText)
  package static let user = Statement("explain/user.sql", gives: .text)

  private static func decisions(_ name: String, of id: String) -> Decisions {
    Statement("explain/\(name).sql", gives: .text, .text, .optionalText, .optionalText, .optionalText)
  }

  package static let all: [any DeclaredStatement] = [
    allowedSandbox, breaks, carriedEvidence, charge, compared, confidence, decisionsOfCharge, decisionsOfOrder, evidence,
    evidenceBytes, order, people, recorded, signals, standing, subject, user,
  ]
}
