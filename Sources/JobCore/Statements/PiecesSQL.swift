package import Postgres

/// The files of sql/pieces: partitions of a run that decides everything, and their workers.
package enum PiecesSQL {
  private static let job: [String: ValueKind] = ["job": .text]
  private static let ours: [String: ValueKind] = ["job": .text, "settings_sha256": .text, "code_version": .text]
  private static let piece: [String: ValueKind] = ["job": .text, "piece": .int4]

  package static let wait = Statement("pieces/await.sql", ours, gives: .int4)
  package static let begun = Statement("pieces/begun.sql", job, gives: .text, .text, .timestamptz, .bool)
  package static let claim = Statement("pieces/claim.sql", ours, gives: .int4, .int4, .timestamptz)
  package static let cut = Statement("pieces/cut.sql", ours.merging(["share_count": .int4, "as_of": .timestamptz]) { $1 })
  package static let deal = Statement("pieces/deal.sql", job)
  package static let end = Statement("pieces/end_piece.sql", piece)
  package static let forget = Statement("pieces/forget.sql", job)
  package static let members = Statement("pieces/members.sql", ["job": .text, "share_count": .int4])
  package static let open = Statement("pieces/open.sql", piece)
  package static let size = Statement("pieces/size.sql", gives: .int8)

  // Steps that find connected components, in order.
  package static let evidence = Script("pieces/ties/10_evidence.sql")
  package static let innerEvidence = Statement("pieces/ties/11_inner_evidence.sql")
  package static let labels = [
    Script("pieces/ties/12_users_of_keys.sql"), Script("pieces/ties/13_keys_of_facts.sql"), Script("pieces/ties/14_labels.sql"),
  ]
  package static let hook = Script("pieces/ties/20_hook.sql")
  package static let follow = Statement("pieces/ties/21_follow.sql")
  package static let contract = Script("pieces/ties/22_contract.sql")
  package static let hasTies = Statement("pieces/ties/23_has_ties.sql", gives: .bool)

  package static let all: [any DeclaredStatement] =
    [
      wait, begun, claim, cut, deal, end, forget, members, open, size, evidence, innerEvidence, hook, follow, contract, hasTies,
    ] + labels
}
