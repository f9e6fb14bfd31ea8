package import Postgres

/// The files of sql/explain: what is told of an id, in words.
package enum ExplainSQL {
  /// Text, kind, rung, the other side, evidence.
  package typealias Decisions = Statement<String, String, String?, String?, String?>
  /// Name, whether it was granted, reason.
  package typealias Rungs = Statement<String, Bool, String>

  private static let pair: [String: ValueKind] = ["order_id": .text, "charge_id": .text]

  package static let allowedSandbox = Statement(
    "explain/allowed_sandbox.sql", pair.merging(DetectSQL.holders) { $1 }, gives: .text)
  package static let barriers = Script("explain/barriers.sql")
  package static let breaks = Statement("explain/breaks.sql", ["ids": .text], gives: .text)
  package static let charge = Statement("explain/charge.sql", ["id": .text], gives: .text)
  package static let compared = Statement("explain/compared.sql", pair, gives: .text, .text)
  package static let contest = Statement("explain/contest.sql", ["charge_id": .text], gives: .text, .text, .bool, .text)
  package static let decidedAnew = Statement("explain/decided_anew.sql", ["id": .text], gives: .text)
  package static let decisionsAnew: Decisions = decisions("decisions_anew", of: "id")
  package static let decisionsOfCharge: Decisions = decisions("decisions_of_charge", of: "charge_id")
  package static let decisionsOfOrder: Decisions = decisions("decisions_of_order", of: "order_id")
  package static let evidence = Statement("explain/evidence.sql", ["id": .text], gives: .text)
  package static let evidenceBytes = Statement("explain/evidence_bytes.sql", ["sha256": .text], gives: .bytes, .optionalText)
  package static let order = Statement("explain/order.sql", ["id": .text], gives: .text)
  package static let people = Statement("explain/people.sql", ["id": .text], gives: .text, .text)
  package static let rungsFurther: Rungs = Statement("explain/rungs_further.sql", pair, gives: .text, .bool, .text)
  package static let rungsOfCharge: Rungs = Statement("explain/rungs_of_charge.sql", ["charge_id": .text], gives: .text, .bool, .text)
  package static let rungsOfOrder: Rungs = Statement("explain/rungs_of_order.sql", ["order_id": .text], gives: .text, .bool, .text)
  package static let rungsOfPair: Rungs = Statement("explain/rungs_of_pair.sql", pair, gives: .text, .bool, .text)
  package static let signals = Statement("explain/signals.sql", ["ids": .text], gives: .text)
  package static let standing = Statement(
    "explain/standing.sql",
    [
      "charge_ids": .textArray, "order_ids": .textArray, "users": .textArray, "as_of": .timestamptz, "answer_within": .span,
      "rows": .int8,
    ],
    gives: .optionalText, .text, .optionalText)
  package static let subject = Statement("explain/subject.sql", ["id": .text], gives: .text, .text, .optionalText)
  package static let user = Statement("explain/user.sql", ["id": .text, "rows": .int8], gives: .text)

  private static func decisions(_ name: String, of id: String) -> Decisions {
    Statement("explain/\(name).sql", [id: .text], gives: .text, .text, .optionalText, .optionalText, .optionalText)
  }

  package static let all: [any DeclaredStatement] = [
    allowedSandbox, barriers, breaks, charge, compared, contest, decidedAnew, decisionsAnew, decisionsOfCharge, decisionsOfOrder,
    evidence, evidenceBytes, order, people, rungsFurther, rungsOfCharge, rungsOfOrder, rungsOfPair, signals, standing,
    subject, user,
  ]
}
