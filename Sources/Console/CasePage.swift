internal import HTTPTypes
internal import JobCore
internal import Matching
internal import Postgres
internal import Review

extension Desk {
  /// A case of one of the account's inboxes.
  ///
  /// - Throws: `ConsoleFault` for one that is not there or not theirs: both look alike.
  func head(of id: String) async throws -> ReportRecord {
    guard Self.isID(id) else { throw ConsoleFault.noCase }
    try await board.refresh()
    let parameters: [String: Value] = [
      "case_id": .text(id), "account": .text(visit.account), "inboxes": inboxes, "as_of": asOf,
    ]
    guard let head = try await table("case_head", parameters).records.first else { throw ConsoleFault.noCase }
    return head
  }

  /// What a case is made of.
  func items(of head: ReportRecord) async throws -> ReportTable {
    let ids = try head.text("item_ids").split(separator: " ").map(String.init)
    return try await table(
      "case_items",
      ["case_id": .text(head.text("case_id")), "item_ids": .textArray(ids), "as_of": asOf, "rows": .int8(Self.cardRows)])
  }

  /// All that is known of a case, and what can be done about it.
  func card(_ id: String, message: String) async throws -> Page {
    let head = try await head(of: id)
    let items = try await items(of: head)
    let ids = try Self.ids(of: items)
    var page = try Page(
      title: "Case \(id.prefix(8))", visit: visit, subtitle: "\(head.text("subject_kind")) \(head.text("subject_id"))",
      message: message)
    var fields = try fields(of: head, ids)
    if visit.canWork { fields["arranged"] = try await arrangements(head) }
    page.fields["case"] = fields
    page.sections = try await sections(id, head, items, ids)
    try await viewed(id)
    return page
  }

  static var cardRows: Int64 { Int64(ConsoleLimits.cardRows) }
  /// Past cases that a card leads to.
  private static let similarRows: Int64 = 20

  /// Orders and charges that a case is about.
  struct CaseIDs {
    var orders: [String] = []
    var charges: [String] = []
    var breaks: [String] = []

    /// What statements about the evidence are told.
    var all: [String: Value] { parameters.merging(["break_ids": .textArray(breaks)]) { first, _ in first } }

    var parameters: [String: Value] {
      ["order_ids": .textArray(orders), "charge_ids": .textArray(charges), "rows": .int8(Desk.cardRows)]
    }
  }

  static func ids(of items: ReportTable) throws -> CaseIDs {
    func distinct(_ name: String) throws -> [String] {
      try Array(Set(items.records.compactMap { try $0[name] }).sorted().prefix(ConsoleLimits.cardIDsMax))
    }
    return try CaseIDs(orders: distinct("order_id"), charges: distinct("charge_id"), breaks: distinct("break_id"))
  }

  private func fields(of head: ReportRecord, _ ids: CaseIDs) throws -> [String: Any] {
    let status = try head.text("status")
    let isMine = try head.text("is_mine") == "t"
    let facts = try [
      ("Status", Section.statusWords[status] ?? status), ("Severity", head.text("severity")), ("About", head.text("about")),
      ("App", head.text("app")), ("Storefront", head.text("storefront")), ("At stake", head.text("at_stake")),
      ("Opened", head.text("opened_at")), ("Due", head.text("due_at")), ("Has it", head.text("holder")),
      ("Until", head.text("lease_until")), ("For", head.text("assignee")), ("Comes back", head.text("returns_at")),
      ("Proposed", head.text("proposed_action")), ("By", head.text("proposed_by")),
    ]
    let waits = status == "waiting_approval"
    return try [
      "id": head.text("case_id"), "facts": facts.filter { !$0.1.isEmpty }.map { ["label": $0.0, "text": Section.instant($0.1) ?? $0.1] },
      "can_take": visit.canWork && !isMine && status != "taken" && !waits, "can_keep": visit.canWork && isMine,
      "can_decide": visit.canWork && isMine, "can_note": visit.canWork,
      "can_conclude": visit.canConclude && waits && head.text("proposed_by") != visit.account,
      "can_withdraw": visit.canWork && waits && head.text("proposed_by") == visit.account,
      "can_undo": visit.canWork && (status == "closed" || status == "lapsed"),
      "actions": CaseAction.allCases.map {
        ["name": $0.rawValue, "words": Self.actionWords[$0.rawValue] ?? $0.rawValue]
      },
      "outcomes": CaseOutcome.allCases.map { ["name": $0.rawValue, "words": Self.words($0.rawValue)] },
      "orders": ids.orders, "charges": ids.charges, "rungs": !(ids.orders + ids.charges).isEmpty,
    ]
  }

  private func sections(
    _ id: String, _ head: ReportRecord, _ items: ReportTable, _ ids: CaseIDs
  ) async throws -> [Section] {
    let (isLinked, links) = (visit.seesAll, Links(caseID: id))
    let bound: [String: Value] = ["case_id": .text(id), "as_of": asOf, "rows": .int8(Self.cardRows)]
    let timed = ids.parameters.merging(["as_of": asOf]) { first, _ in first }
    let one: [String: Value] = ["case_id": .text(id), "orders": .int8(Int64(ConsoleLimits.linkedOrdersMax))]
    let linked = try await table("case_links", ids.parameters.merging(one) { first, _ in first })
    let names = try Value.textArray(head.text("about").split(separator: " ").map(String.init))
    let newest: [String: Value] = ["names": names, "decisions": .int8(Int64(ConsoleLimits.similarMax))]
    let similar = bound.merging(newest) { first, _ in first }
    let alike = bound.merging(["names": names, "inboxes": inboxes, "rows": .int8(Self.similarRows)]) { $1 }
    var graph = Section("Linked subjects")
    graph.drawing = try LinkGraph.drawing(subject: page(head), linked)
    return [
      Section(
        "What it is made of", items, note: "What waits comes first; the last column is the checklist of the class.",
        isLinked: isLinked, isCompact: true),
      Section("Time line", try await table("timeline", timed), empty: "It names no order and no charge."),
      Section(
        "Who and what it names", try await table("identities", ids.parameters), empty: "It names no order and no charge.",
        isLinked: isLinked, isCompact: true),
      Section(
        "Signed evidence", try await table("evidence_of", ids.all), note: "Each hash leads to what was signed.",
        empty: "No evidence names it.", isCompact: true, links: links),
    ] + (graph.drawing.isEmpty ? [] : [graph]) + [
      Section(
        "Linked cases", linked, note: "By a charge that both claim, a token or a device.", empty: "It is linked to no other case."),
      Section(
        "How similar cases ended", try await table("similar", similar),
        note: "Cases with one of its classes or rules, among the newest \(ConsoleLimits.similarMax) decisions.",
        empty: "None was decided yet."),
      Section(
        "Similar cases", try await table("similar_cases", alike),
        note: "Those that share most of its classes and rules first.", empty: "None was decided yet."),
      Section(
        "Attachments", try await job.attachments(id), note: "Each hash leads to the file as it was attached.",
        empty: "Nothing is attached.", isCompact: true, links: links),
      Section("History", try await table("case_history", bound), note: "Newest first.", empty: "Nobody has had it yet."),
    ]
  }

  private func page(_ head: ReportRecord) throws -> String { try "\(head.text("subject_kind")) \(head.text("subject_id"))" }

  /// What each rung tried for the orders and charges of a case.
  func rungs(_ id: String) async throws -> Page {
    let head = try await head(of: id)
    let items = try await items(of: head)
    let ids = try Self.ids(of: items)
    let wanted = (ids.orders + ids.charges).prefix(ConsoleLimits.rungsMax)
    var page = Page(title: "Rungs of case \(id.prefix(8))", visit: visit)
    for one in wanted {
      var section = Section("What the ladder says of \(one)")
      section.lines = try await ExplainJob(context: context).explain(one)
      page.sections.append(section)
    }
    page.fields["back"] = "/cases/\(id)"
    page.subtitle = "The ladder climbed anew on what is known now; at most \(ConsoleLimits.rungsMax) ids"
    try await viewed(id, [.text("part", "rungs")])
    return page
  }

  static let actionWords = [
    "accept": "accept the difference", "dismiss": "dismiss: nothing is wrong", "watch": "watch", "contact": "contact the customer",
    "take_back": "take the goods back", "ban": "ban (second person)", "forced_match": "force a match (second person)",
    "unmatch": "unmatch (second person)", "benign_duplicate": "benign duplicate (second person)",
    "write_off": "write off (second person)",
  ]
  static func words(_ name: String) -> String { name.split(separator: "_").joined(separator: " ") }
}
