package import Postgres

/// The files of sql/console: pages of the review console, its accounts, sessions and gathered cases.
package enum ConsoleSQL {
  package static let accounts = Listing("console/accounts.sql")
  package static let act = Statement("console/act.sql", ["secret": .text])
  private static let accountParameters: [String: ValueKind] = [
    "act": .text, "account": .text, "role": .text, "inboxes": .textArray, "salt": .text, "verifier": .text, "actor": .text,
    "mail_address": .text, "as_of": .timestamptz,
  ]
  package static let manageAccount = Statement("console/manage_account.sql", accountParameters, gives: .int8)
  package static let administerAccount = Statement("console/administer_account.sql", accountParameters, gives: .int8)
  package static let addProxyKey = Statement("console/add_proxy_key.sql", ["key_sha256": .text, "made_by": .text, "as_of": .timestamptz])
  package static let approvals = Listing("console/approvals.sql", ["inboxes": .textArray, "as_of": .timestamptz, "rows": .int8])
  package static let backlog = Listing("console/backlog.sql", ["as_of": .timestamptz, "inboxes": .textArray])
  package static let batch = Listing("console/batch.sql", ["batch_id": .text, "inboxes": .textArray, "rows": .int8])
  package static let beginGathering = Statement("console/begin_gathering.sql", ["as_of": .timestamptz])
  package static let breakPage = Listing(
    "console/break_page.sql", ["after": .text, "name": .text, "app": .text, "severity": .text, "rows": .int8])
  package static let breakParts = Listing("console/break_parts.sql", ["break_id": .text])
  package static let breaks = Listing("console/breaks.sql", ["break_ids": .textArray, "as_of": .timestamptz])
  package static let bulkSums = Listing("console/bulk_sums.sql", ["case_ids": .textArray])
  package static let candidates = Listing("console/candidates.sql", ["charge_ids": .textArray, "rows": .int8])
  package static let caseHead = Listing(
    "console/case_head.sql", ["case_id": .text, "as_of": .timestamptz, "account": .text, "inboxes": .textArray])
  package static let caseHistory = Listing("console/case_history.sql", ["case_id": .text, "as_of": .timestamptz, "rows": .int8])
  package static let caseItems = Listing(
    "console/case_items.sql", ["as_of": .timestamptz, "item_ids": .textArray, "case_id": .text, "rows": .int8])
  package static let caseLinks = Listing(
    "console/case_links.sql",
    ["order_ids": .textArray, "orders": .int8, "charge_ids": .textArray, "case_id": .text, "rows": .int8])
  package static let caseOutcome = Listing("console/case_outcome.sql", ["case_id": .text, "as_of": .timestamptz])
  package static let changePassword = Statement(
    "console/change_password.sql", ["proof": .text, "salt": .text, "verifier": .text], gives: .text)
  package static let casesBeginning = Listing("console/cases_beginning.sql", ["prefix": .text, "rows": .int8])
  package static let counterparts = Listing("console/counterparts.sql", ["order_ids": .textArray, "charge_ids": .textArray, "rows": .int8])
  package static let decided = Listing(
    "console/decided.sql",
    ["until": .timestamptz, "since": .timestamptz, "inboxes": .textArray, "name": .text, "decisions": .int8, "rows": .int8])
  package static let customerCases = Listing(
    "console/customer_cases.sql",
    ["user_id": .text, "order_ids": .textArray, "charge_ids": .textArray, "as_of": .timestamptz, "rows": .int8])
  package static let customerCharges = Listing("console/customer_charges.sql", ["charge_ids": .textArray, "rows": .int8])
  package static let customerLinks = Listing(
    "console/customer_links.sql", ["user_id": .text, "order_ids": .textArray, "orders": .int8, "rows": .int8])
  package static let customerOrders = Listing("console/customer_orders.sql", ["order_ids": .textArray, "rows": .int8])
  package static let customerRefunds = Listing(
    "console/customer_refunds.sql", ["order_ids": .textArray, "charge_ids": .textArray, "rows": .int8])
  package static let customerSubscriptions = Listing(
    "console/customer_subscriptions.sql", ["charge_ids": .textArray, "as_of": .timestamptz, "rows": .int8])
  package static let customerTotals = Listing("console/customer_totals.sql", ["order_ids": .textArray, "charge_ids": .textArray])
  package static let deciders = Statement("console/deciders.sql", gives: .text)
  package static let end = Statement("console/end.sql", ["secret": .text])
  package static let endAll = Statement("console/end_all.sql", ["account": .text])
  package static let endProxyKeys = Statement("console/end_proxy_keys.sql", ["as_of": .timestamptz])
  package static let endToken = Statement("console/end_token.sql", ["token": .text], gives: .int8)
  package static let evidenceHead = Listing("console/evidence_head.sql", ["sha256": .text])
  package static let evidenceOf = Listing(
    "console/evidence_of.sql", ["charge_ids": .textArray, "order_ids": .textArray, "break_ids": .textArray, "rows": .int8])
  package static let exposure = Listing("console/exposure.sql", ["as_of": .timestamptz, "inboxes": .textArray, "rows": .int8])
  package static let factsOf = Listing("console/facts_of.sql", ["id": .text, "rows": .int8])
  package static let flow = Listing("console/flow.sql", ["as_of": .timestamptz, "inboxes": .textArray, "days": .int8])
  package static let following = Listing(
    "console/following.sql", ["account": .text, "as_of": .timestamptz, "rows": .int8, "inboxes": .textArray])
  package static let forgetUnseen = Statement("console/forget_unseen.sql")
  package static let freeCases = Statement(
    "console/free_cases.sql",
    ["as_of": .timestamptz, "after": .text, "is_mine": .bool, "inboxes": .textArray, "rows": .int8],
    gives: .text, .text)
  package static let gather = Statement(
    "console/gather.sql", ["as_of": .timestamptz, "case_ids": .textArray, "detected": .text, "rows": .int8], gives: .int8)
  package static let gatherTurn = Statement("console/gather_turn.sql", ["all": .bool, "waits": .bool], gives: .bool)
  package static let hasManyChanged = Statement("console/has_many_changed.sql", ["few": .int8], gives: .bool)
  package static let identities = Listing("console/identities.sql", ["order_ids": .textArray, "charge_ids": .textArray, "rows": .int8])
  package static let inHand = Statement("console/in_hand.sql", ["as_of": .timestamptz, "inboxes": .textArray], gives: .text)
  package static let isReady = Statement("console/is_ready.sql", gives: .bool)
  package static let listCases = Statement("console/list_cases.sql", ["as_of": .timestamptz])
  package static let lists = Listing(
    "console/lists.sql", ["as_of": .timestamptz, "id": .text, "list": .text, "after": .text, "rows": .int8])
  package static let makeToken = Statement(
    "console/make_token.sql",
    ["secret_sha256": .text, "name": .text, "days": .int8, "address": .text, "tokens": .int8],
    gives: .bool)
  package static let navCounts = Statement(
    "console/nav_counts.sql", ["account": .text, "inboxes": .textArray, "as_of": .timestamptz, "decisions": .int8, "most": .int8],
    gives: .int8, .int8, .int8, .int8, .int8)
  package static let nights = Listing("console/nights.sql", ["rows": .int8])
  package static let note = Statement("console/note.sql", ["case_id": .text, "as_of": .timestamptz, "note": .text, "person": .text])
  package static let noticesSeen = Statement("console/notices_seen.sql", ["as_of": .timestamptz])
  package static let open = Statement(
    "console/open.sql", ["account": .text, "proof": .text, "secret_sha256": .text, "address": .text], gives: .text)
  package static let openByProxy = Statement(
    "console/open_by_proxy.sql", ["account": .text, "key": .text, "secret_sha256": .text, "address": .text], gives: .text)
  package static let ownAddress = Statement("console/own_address.sql", gives: .optionalText)
  package static let people = Listing("console/people.sql")
  package static let person = Listing("console/person.sql", ["id": .text, "rows": .int8])
  package static let precision = Listing("console/precision.sql", ["rows": .int8])
  package static let queue = Listing(
    "console/queue.sql",
    [
      "as_of": .timestamptz, "after": .text, "name": .text, "severity": .text, "app": .text, "storefront": .text,
      "assignee": .text, "aside": .bool, "holder": .text, "days": .int8, "under": .int8,
      "first_day": .timestamptz, "last_day": .timestamptz, "late": .bool, "currency": .text, "amount": .int8, "approver": .text,
      "inboxes": .textArray, "rows": .int8,
    ])
  package static let removeView = Statement("console/remove_view.sql", ["name": .text])
  package static let runs = Listing("console/runs.sql", ["after": .text, "rows": .int8])
  package static let salt = Statement("console/salt.sql", ["account": .text, "address": .text], gives: .text)
  package static let savePreferences = Statement("console/save_preferences.sql", ["language": .text, "time_zone": .text])
  package static let saveView = Statement("console/save_view.sql", ["name": .text, "query": .text, "is_shared": .bool, "views": .int8])
  package static let seen = Statement("console/seen.sql", ["secret": .text], gives: .text, .text, .text, .text, .text, .bool)
  package static let sides = Listing("console/sides.sql", ["order_ids": .textArray, "charge_ids": .textArray, "rows": .int8])
  package static let similar = Listing(
    "console/similar.sql", ["as_of": .timestamptz, "decisions": .int8, "case_id": .text, "names": .textArray, "rows": .int8])
  package static let similarCases = Listing(
    "console/similar_cases.sql",
    ["names": .textArray, "case_id": .text, "inboxes": .textArray, "as_of": .timestamptz, "rows": .int8, "decisions": .int8])
  package static let state = Statement("console/state.sql", ["as_of": .timestamptz], gives: .text, .bool, .bool, .bool, .bool)
  package static let theirCases = Listing("console/their_cases.sql", ["case_ids": .textArray, "inboxes": .textArray])
  package static let terms = Listing("console/terms.sql")
  package static let timeline = Listing(
    "console/timeline.sql",
    ["order_ids": .textArray, "charge_ids": .textArray, "break_ids": .textArray, "case_id": .text, "as_of": .timestamptz, "rows": .int8])
  package static let tokens = Listing("console/tokens.sql")
  package static let views = Listing("console/views.sql", ["rows": .int8])
  package static let waitingNames = Listing("console/waiting_names.sql", ["as_of": .timestamptz, "inboxes": .textArray, "rows": .int8])
  package static let watching = Listing(
    "console/watching.sql", ["inboxes": .textArray, "as_of": .timestamptz, "decisions": .int8, "rows": .int8])

  package static let all: [any DeclaredStatement] = [
    accounts, act, addProxyKey, administerAccount, approvals, backlog, batch, beginGathering, breakPage, breakParts, breaks, bulkSums,
    candidates, caseHead, caseHistory, caseItems, caseLinks, caseOutcome, casesBeginning, changePassword, counterparts, customerCases,
    customerCharges, customerLinks, customerOrders, customerRefunds, customerSubscriptions, customerTotals, decided, deciders, end,
    endAll, endProxyKeys, endToken, evidenceHead, evidenceOf, exposure, factsOf, flow, following, forgetUnseen, freeCases, gather,
    gatherTurn, hasManyChanged, identities, inHand, isReady, listCases, lists, makeToken, manageAccount, navCounts, nights, note,
    noticesSeen, open, openByProxy, ownAddress, people, person, precision, queue, removeView, runs, salt, savePreferences, saveView,
    seen, sides, similar, similarCases, state, terms, theirCases, timeline, tokens, views, waitingNames, watching,
  ]
}
