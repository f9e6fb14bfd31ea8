package import Postgres

/// The files of sql/explain: the explanation of an id as phrases.
package enum ExplainSQL {
  /// Columns: text, and whether the line belongs to the one before.
  package typealias Lines = Statement<String, Bool>
  /// Columns: text, kind, rung, the other side, evidence.
  package typealias Decisions = Statement<String, String, String?, String?, String?>

  package static let allowedSandbox = lines("allowed_sandbox")
  package static let breaks = lines("breaks")
  package static let carriedEvidence = Statement("explain/carried_evidence.sql", gives: .optionalText, .optionalText, .bool)
  package static let charge = lines("charge")
  package static let compared = Statement("explain/compared.sql", gives: .text, .optionalText, .optionalInt8)
  package static let confidence = Statement("explain/confidence.sql", gives: .text)
  package static let decisionsOfCharge: Decisions = decisions("decisions_of_charge")
  package static let decisionsOfOrder: Decisions = decisions("decisions_of_order")
  package static let evidence = lines("evidence")
  package static let evidenceBytes = Statement("explain/evidence_bytes.sql", gives: .bytes, .optionalText)
  package static let order = lines("order")
  package static let people = Statement("explain/people.sql", gives: .text, .text)
  package static let recorded = Statement(
    "explain/recorded.sql", gives: .text, .text, .optionalText, .text, .optionalText, .optionalText, .optionalText, .optionalInt8)
  package static let signals = lines("signals")
  package static let standing = Statement("explain/standing.sql", gives: .optionalText, .text, .bool, .optionalText)
  package static let subject = Statement("explain/subject.sql", gives: .text, .text, .optionalText)
  package static let user = lines("user")

  private static func lines(_ name: String) -> Lines { Statement("explain/\(name).sql", gives: .text, .bool) }

  private static func decisions(_ name: String) -> Decisions {
    Statement("explain/\(name).sql", gives: .text, .text, .optionalText, .optionalText, .optionalText)
  }

  package static let all: [any DeclaredStatement] = [
    allowedSandbox, breaks, carriedEvidence, charge, compared, confidence, decisionsOfCharge, decisionsOfOrder, evidence,
    evidenceBytes, order, people, recorded, signals, standing, subject, user,
  ]
}
