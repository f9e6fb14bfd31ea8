package import Postgres

/// The files of sql/match: the ladder of rungs.
package enum MatchSQL {
  private static let clock: [String: ValueKind] = ["as_of": .timestamptz]
  private static let late: [String: ValueKind] = ["late": .span]
  private static let ofTokens: [String: ValueKind] = ["skew": .span, "window": .span]

  package static let workTables = Script("match/00_work_tables.sql")
  package static let decisionsAndTokens = Script("match/01_decisions_and_tokens.sql")
  /// What is known before anything is decided.
  package static let known = [
    Statement("match/01_token_owners.sql", ["is_part": .bool]), Statement("match/02_named.sql", late),
    Statement("match/02_chain_orders.sql", ["window": .span]),
    Statement("match/02_contested_chains.sql"), Statement("match/02_evidence.sql"),
  ]
  /// The plain bulk, at once.
  package static let plain = [Statement("match/03_plain_transaction_id.sql"), Statement("match/04_plain_token.sql", ofTokens)]
  package static let open = Script("match/05_open.sql")
  package static let orderTokens = Statement("match/05_order_tokens.sql")
  package static let plainRepeats = Statement("match/06_plain_repeats.sql", ["skew": .span, "place_max": .int8])
  package static let scope = Script("match/07_scope.sql")
  /// What the ladder reads.
  package static let read = [
    Statement("match/07_scope_of_charges.sql"), orderTokens, Statement("match/08_orders.sql"), Statement("match/08_charges.sql"),
    Statement("match/08_subscription_charges.sql", ["window": .span]),
  ]
  package static let scopeDecided = Script("match/09_scope_decided.sql")

  package static let m1 = Statement("match/10_m1_transaction_id.sql", late)
  package static let unproven = Statement("match/11_unproven.sql")
  package static let chainsTold = Statement("match/19_chains_told.sql", gives: .bool)
  package static let duplicates = Statement("match/19_duplicates.sql", ["skew": .span])
  package static let m2 = Statement("match/20_m2_app_account_token.sql", ["is_again": .bool, "skew": .span, "window": .span])
  package static let m3 = Statement("match/30_m3_line_item.sql", late)
  package static let m4 = Statement("match/40_m4_chain.sql")
  package static let m5 = Statement("match/50_m5_evidence.sql", late)
  package static let m5Listed = Statement(
    "match/51_m5_listed.sql", ["late": .span, "skew": .span, "ask_to_buy_window": .span])
  package static let refuseUnmatched = Statement("match/55_refuse_unmatched.sql")
  package static let m6 = [
    Statement("match/60_m6_candidates.sql", ["skew": .span, "ask_to_buy_window": .span, "window": .span]),
    Statement("match/61_m6_single_candidate.sql"),
  ]
  package static let contested = Statement("match/62_m6_contested.sql", ["count_max": .int8])
  package static let contestedPage = Statement(
    "match/62_m6_contested_page.sql", ["first_place": .int8, "last_place": .int8],
    gives: .int8, .text, .text, .text, .int8, .bool, .bool)
  package static let contestedUsers = Statement("match/62_m6_contested_users.sql", gives: .int8)

  package static let grant = Statement("match/90_grant.sql", ["rung": .text])
  package static let chainOwners = Statement("match/91_chain_owners.sql")
  package static let judgeAgain = Statement("match/92_judge_again.sql", late)
  package static let takeBack = Statement("match/92_take_back.sql")
  /// Why claims were refused, and what is left open.
  package static let refusals = [
    Statement("match/70_refused_by_token.sql", ofTokens), Statement("match/71_refused_evidence.sql"),
    Statement("match/93_refused_claims.sql", ["testers": .textArray]), Statement("match/94_second_charges.sql"),
    Statement("match/95_ambiguous.sql"),
  ]
  package static let changes = Statement("match/96_changes.sql")
  package static let record = [
    Statement("match/97_end.sql", ["as_of": .timestamptz, "run_id": .text]),
    Statement("match/98_begin.sql", ["as_of": .timestamptz, "run_id": .text]),
    Statement("match/98_end_projections.sql", clock), Statement("match/99_begin_projections.sql", clock),
  ]
  package static let changedRows = Statement(
    "match/changed_rows.sql", ["row_max": .int8], gives: .text, .text, .text, .text)
  package static let counts = Statement("match/counts.sql", gives: .int8, .int8, .int8, .int8)
  package static let stale = Statement("match/stale.sql", ["row_max": .int8], gives: .text)
  package static let standingCounts = Statement("match/standing_counts.sql", gives: .int8, .int8)

  package static let forgetPieces = Script("match/pieces/forget.sql")
  package static let keepPiece = Statement("match/pieces/keep.sql", ["piece": .int4])
  package static let unitePieces = Script("match/pieces/union.sql")

  package static let all: [any DeclaredStatement] =
    [
      workTables, decisionsAndTokens, open, plainRepeats, scope, scopeDecided, m1, unproven, chainsTold, duplicates, m2, m3,
      m4, m5, m5Listed, refuseUnmatched, contested, contestedPage, contestedUsers, grant, chainOwners, judgeAgain,
      takeBack, changes, changedRows, counts, stale, standingCounts, forgetPieces, keepPiece, unitePieces,
    ] + known + plain + read + m6 + refusals + record
}
