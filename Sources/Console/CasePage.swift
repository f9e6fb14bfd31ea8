internal import Cryptography
internal import Domain
internal import JobCore
internal import Matching
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// Returns a case from the account's inboxes. The fault for one outside them is that for an unknown one.
  func head(of id: String) async throws -> ReportRecord {
    guard Self.isID(id) else { throw ConsoleFault.noCase }
    try await consoleCases.refresh()
    guard let head = try await table(ConsoleSQL.caseHead, ["case_id": .text(id)]).records.first else { throw ConsoleFault.noCase }
    return head
  }

  /// Returns the items of a case. If the account has the case, the items are recorded as seen.
  func items(of head: ReportRecord) async throws -> ReportTable {
    let ids = try head.text("item_ids").split(separator: " ").map(String.init)
    // Seen before the card is rendered: a later change appears on the card but is not covered by the decision.
    if visit.canWork, try head.text("is_mine") == "t" { try await job.recordSeen(head.text("case_id"), items: ids) }
    return try await table(ConsoleSQL.caseItems, ["case_id": .text(head.text("case_id")), "item_ids": .textArray(ids)])
  }

  /// Returns the case card: all facts about the case and the available actions. After a refused act, `fault` is the refusal, `act` the
  /// act's name and `typed` its form, which is kept.
  func card(
    _ id: String, message: Phrase, refusing fault: ConsoleFault? = nil, act: String = "", typed: Form = Form()
  ) async throws -> Page {
    let head = try await head(of: id)
    let items = try await items(of: head)
    let own = try Self.ids(of: items)
    let (ids, counterparts) = try await withCounterparts(own)
    let candidates = try await table(ConsoleSQL.candidates, about: own)
    let subject = try subject(head)
    let short = Phrase("case.title", ["id": .plain(ShownID.short(id))])
    var page = Page(
      title: short, visit: visit, subtitle: Phrase("case.of", ["case": short, "subject": subject]),
      message: fault?.message ?? message, isRefusal: fault != nil)
    var fields = try fields(of: head, own, act: act, typed: typed)
    let evidence = try await table(ConsoleSQL.evidenceOf, about: ids)
    if !(ids.orders + ids.charges).isEmpty || !evidence.rows.isEmpty { fields["evidence"] = ["verdicts": try Self.verdicts(evidence)] }
    if let lead = try Self.leadingItem(items) {
      let sides = try CaseSides(lead: lead, counterparts: counterparts, rows: await table(ConsoleSQL.sides, about: ids))
      page.title = Headline.phrase(try sides.headline(lead, subject: subject, candidateCount: candidates.rows.count, reader: visit.reader))
      // Candidates state the facts of a charge that has no order.
      let isShown = candidates.rows.isEmpty || sides.shown.count > 1
      if isShown, let model = try sides.model(isLinked: visit.seesAll) { fields["sides"] = model }
    }
    if candidates.rows.isEmpty { fields["details"] = try Self.details(items) }
    if let model = try Self.candidates(candidates, canDecide: fields["can_decide"] as? Bool == true) { fields["candidates"] = model }
    let steps = try await table(ConsoleSQL.caseOutcome, ["case_id": .text(id)]).records
    if let model = try Self.latestDecision(steps, head.text("status"), for: visit.reader) {
      fields[try Self.isProposed(head) ? "proposal" : "verdict"] = model
    }
    if visit.canWork { fields["arranged"] = try await arrangements(head) }
    let isToDecide = try ["open", "taken"].contains(head.text("status"))
    fields["to_do"] = isToDecide ? try Self.runbooks(items) : []
    if !isToDecide { fields["usual"] = nil }
    page.fields["case"] = fields
    page.sections = try await sections(id, head, items, evidence, ids)
    try await viewed(id)
    return page
  }

  static func isProposed(_ head: ReportRecord) throws -> Bool { try ["waiting_approval", "undo_proposed"].contains(head.text("status")) }

  private static func runbooks(_ items: ReportTable) throws -> [Phrase] {
    let texts = try items.records.filter { try $0.text("status") == "open" }.map { item in
      let (name, text) = try (item.text("name"), item.text("what_to_do"))
      return Headline.isRule(name) ? items.phrase("what_to_do", text) : .name("runbook", name, otherwise: text)
    }
    return texts.enumerated().filter { texts.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  /// Row limit of a card's queries: one more than the card shows, to detect omitted rows.
  static var cardRows: Int64 { Int64(ConsoleLimits.cardRows) + 1 }
  private static let similarRows: Int64 = 20

  struct CaseIDs {
    var orders: [String] = []
    var charges: [String] = []
    var breaks: [String] = []

    var parameters: [String: Value] {
      ["order_ids": .textArray(orders), "charge_ids": .textArray(charges), "break_ids": .textArray(breaks)]
    }
  }

  static func ids(of items: ReportTable) throws -> CaseIDs {
    func distinct(_ name: String) throws -> [String] {
      try Set(items.records.compactMap { try $0[name].map(ByteText.init) }).sorted().map(\.text)
    }
    return try CaseIDs(orders: distinct("order_id"), charges: distinct("charge_id"), breaks: distinct("break_id"))
  }

  private func fields(of head: ReportRecord, _ ids: CaseIDs, act: String, typed: Form) throws -> [String: Any] {
    let status = try head.text("status")
    let isMine = try head.text("is_mine") == "t"
    let facts: [(label: Phrase, column: String)] = [
      ("fact.at_stake", "at_stake"), ("fact.due", "due_at"), ("fact.proposed", "proposed_at"), ("fact.opened", "opened_at"),
      ("fact.app", "app"), ("fact.storefront", "storefront"), ("fact.holder", "holder"), ("fact.until", "lease_until"),
      ("fact.assignee", "assignee"), ("fact.returns", "returns_at"),
    ]
    let waits = try Self.isProposed(head)
    let names = try Headline.ordered(head.text("about"))
    let isOwn = try head.text("proposed_by") == visit.account
    var fields: [String: Any] = try [
      "id": head.text("case_id"), "proposal_id": head["proposal_id"] ?? "",
      "badges": [
        ["words": Section.shown(head.text("severity"), "severity"), "class": head.text("severity")],
        ["words": Section.shown(status, "status"), "class": status],
      ] as [[String: Any]],
      "names": ShownNames(codes: head.text("about")),
      "known": facts.filter { try !head.text($0.column).isEmpty }.map { label, column in
        let text = try head.text(column)
        let isPending = waits || status == "open" || status == "taken"
        var fact: [String: Any] = ["label": label, "text": Section.shown(text, column)]
        if let moment = Moment(text, isDue: column == "due_at" && isPending) { fact["moment"] = moment }
        return fact
      },
      "can_take": visit.canWork && !isMine && status != "taken" && !waits, "can_keep": visit.canWork && isMine,
      "can_decide": visit.canWork && isMine, "can_note": visit.canWork,
      "can_conclude": visit.canConclude && waits && !isOwn, "can_withdraw": visit.canWork && waits && isOwn,
      "can_undo": visit.canWork && (status == "closed" || status == "lapsed"),
      "orders": ids.orders, "charges": ids.charges, "rungs": !(ids.orders + ids.charges).isEmpty,
    ]
    if waits, isOwn || !visit.canConclude { fields["cannot_conclude"] = (isOwn ? "case.own_proposal" : "case.not_approver") as Phrase }
    fields.merge(Self.decisionFields(names, act == "decide" ? typed : Form())) { $1 }
    if CaseAct(rawValue: act) != nil { fields["kept_\(act)"] = typed[act == "note" ? "note" : "reason"] }
    return fields
  }

  private func sections(_ id: String, _ head: ReportRecord, _ items: ReportTable, _ evidence: ReportTable, _ ids: CaseIDs)
    async throws -> [Section]
  {
    let (isLinked, links) = (visit.seesAll, Links(caseID: id))
    let one: [String: Value] = ["case_id": .text(id)]
    let linked = try await table(ConsoleSQL.caseLinks, about: ids, one)
    let named = try one.merging(["names": .textArray(head.text("about").split(separator: " ").map(String.init))]) { $1 }
    var items = items
    if try head.text("status") == "undo_proposed", let place = items.columns.firstIndex(of: "status") {
      for row in items.rows.indices where items.rows[row][place] == "open" { items.rows[row][place] = "undo_proposed" }
    }
    var graph = Section("case.linked_subjects")
    graph.drawing = try LinkGraph.drawing(subject: visit.words(subject(head)), linked, in: visit.words)
    if linked.rows.count > ConsoleLimits.linksMax { graph.note = Self.first(ConsoleLimits.linksMax, of: linked.rows.count) }
    return [
      Section(
        "case.made_of", items, note: "case.made_of_note", hiding: ["severity", "since", "signal_id", "what_to_do"],
        isLinked: isLinked, isCompact: true),
      Section(timeline: try await table(ConsoleSQL.timeline, about: ids, one), empty: "case.names_nothing", links: links),
      Section(
        "section.identities", try await table(ConsoleSQL.identities, about: ids), empty: "case.names_nothing",
        isLinked: isLinked, isCompact: true),
      Section(
        "section.evidence", evidence, note: "case.evidence_note",
        empty: "empty.evidence", isCompact: true, links: links),
    ] + (graph.drawing.isEmpty ? [] : [graph]) + [
      Section("case.linked", linked, note: "case.linked_note", empty: "case.linked_none"),
      Section(
        "case.ended", try await table(ConsoleSQL.similar, named),
        note: Phrase("case.ended_note", ["max": .plain("\(ConsoleLimits.similarMax)")]),
        empty: "empty.none_decided"),
      Section(
        "case.similar", try await table(ConsoleSQL.similarCases, named.merging(["rows": .int8(Self.similarRows)]) { $1 }),
        note: Phrase("case.similar_note", ["max": .plain("\(ConsoleLimits.similarMax)")]), empty: "empty.none_decided"),
      Section(
        "case.attachments", try await job.attachments(id), note: "case.attachments_note",
        empty: "case.attachments_none", isCompact: true, links: links),
      try CaseHistory(await table(ConsoleSQL.caseHistory, one)).section,
    ]
  }

  private func subject(_ head: ReportRecord) throws -> Phrase {
    try Phrase("case.subject", ["kind": .name("kind", head.text("subject_kind")), "id": .plain(ShownID.short(head.text("subject_id")))])
  }

  func rungs(_ id: String) async throws -> Page {
    let head = try await head(of: id)
    let items = try await items(of: head)
    let ids = try Self.ids(of: items)
    let wanted = (ids.orders + ids.charges).prefix(ConsoleLimits.rungsMax)
    var page = Page(
      title: Phrase("rungs.title", ["id": .plain(ShownID.short(id))]), visit: visit,
      subtitle: Phrase("rungs.subtitle", ["max": .plain("\(ConsoleLimits.rungsMax)")]), back: "/cases/\(id)")
    let explanations = wanted.isEmpty ? [] : try await ExplainJob(context: context).explanations(of: Array(wanted), hasFacts: false)
    page.sections = zip(wanted, explanations).map { Section(Phrase("rungs.of", ["id": .plain($0)]), lines: $1.text) }
    try await viewed(id, [.text("part", "rungs")])
    return page
  }

  func rungs(named id: String) async throws -> Page {
    try checkSeesAll()
    try Self.checkLength(id, ConsoleLimits.idCharactersMax, "term.id")
    guard !id.isEmpty else { throw ConsoleFault.notThere }
    var page = Page(title: "case.rungs", visit: visit, subtitle: "rungs.recomputed", back: "/search?q=\(PercentEncoding.of(id))")
    page.sections = [Section(Phrase("rungs.of", ["id": .plain(id)]), lines: try await explanation(of: id))]
    try await viewed("rungs", [.text("id_sha256", SHA256.hex(Array(id.utf8)))])
    return page
  }

  static func rungsAddress(of id: String) -> String { "/rungs?q=\(PercentEncoding.of(id))" }

  static func actionName(_ name: String) -> Phrase {
    .name("action", name, otherwise: name.split(separator: "_").joined(separator: " "))
  }
}
