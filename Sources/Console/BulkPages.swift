internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// The pending cases that are free or assigned to this account, for one common decision. The filter `all` chooses every one of them.
  func bulk(_ query: Form, refusing fault: ConsoleFault? = nil) async throws -> Page {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    try await consoleCases.refresh()
    var parameters = try queueParameters(query, rows: ConsoleLimits.bulkMax)
    parameters["after"] = .text("")
    let found = try await table(ConsoleSQL.queue, parameters)
    try await viewed("bulk")
    var page = Page(
      title: "bulk.title", visit: visit, subtitle: Phrase("bulk.subtitle", ["max": .plain("\(ConsoleLimits.bulkMax)")]),
      message: fault?.message ?? .plain(""), isRefusal: fault != nil, back: "/queue")
    let free = try found.records.filter { try $0.text("status") == "open" || $0.text("person") == visit.account }
    let (chosen, isAll) = (Set(query.all("case")), !query["all"].isEmpty)
    var fields = Self.decisionFields([], query)
    fields["actions"] = Self.bulkActions.map { Self.option($0, chosen: query["action"]) }
    fields["effects"] = Self.effects(CaseAction.allCases.filter { !$0.isAboutPair })
    fields["cases"] = try free.map { record in
      try [
        "id": record.text("case_id"), "names": ShownNames(codes: record.text("about")),
        "subject": found.phrase("subject", record.text("subject")).withShortIDs, "severity": record.text("severity"),
        "severity_words": Section.shown(record.text("severity"), "severity"), "at_stake": record.text("at_stake"),
        "due": Moment(record.text("due_at"), isDue: true) as Any? ?? "", "chosen": isAll || chosen.contains(record.text("case_id")),
      ] as [String: Any]
    }
    fields["none"] = free.isEmpty
    fields["count"] = "\(free.count)"
    fields["filters"] = Self.filters.filter { !query[$0].isEmpty }.map { ["name": $0, "value": query[$0]] }
    let place = Self.address("/bulk", query, keeping: Self.filters)
    (fields["select_none"], fields["select_all"]) = (place, place + (place.contains("?") ? "&" : "?") + "all=yes")
    page.fields["bulk"] = fields
    return page
  }

  /// - Parameter fault: why a confirmed decision was refused; the page shows what it would decide now.
  func preview(_ form: Form, refusing fault: ConsoleFault? = nil) async throws -> Page {
    let (ids, decision) = try await bulkOf(form)
    let outcome = try await job.decideMany(ids, decision, by: Person(), isDryRun: true)
    let left = Set(outcome.left.map(\.caseID))
    let sums = try await table(ConsoleSQL.bulkSums, ["case_ids": .textArray(ids.filter { !left.contains($0) })])
    let key = decision.action.needsSecondPerson ? "bulk.would_propose" : "bulk.would_decide"
    let done = Phrase(key, ["count": .plain("\(outcome.decidedCount)")], counting: outcome.decidedCount)
    let kept = Phrase("bulk.would_leave", ["count": .plain("\(left.count)")], counting: left.count)
    var page = Page(
      title: Phrase("bulk.title_of", ["action": .name("action", decision.action.rawValue)]), visit: visit,
      subtitle: Phrase("bulk.outcome", ["done": done, "left": kept]), message: fault?.message ?? .plain(""), isRefusal: fault != nil,
      back: "/bulk")
    let typed = ["action", "outcome", "reason", "until"].map { ($0, form[$0]) }
    let hidden = typed + [("preview", outcome.preview)] + ids.map { ("case", $0) }
    page.fields["confirm"] = [
      "fields": hidden.map { ["name": $0, "value": $1] }, "count": "\(outcome.decidedCount)", "none": outcome.decidedCount == 0,
      "reason": decision.reason, "effect": Phrase.name("effect", decision.action.rawValue), "apple": Self.consentFields(outcome.apple),
    ]
    var rest = Section(
      "bulk.left", ReportTable(columns: ["case_id"], rows: outcome.left.map { [$0.caseID] }),
      note: "bulk.left_note", empty: "empty.none")
    if outcome.left.isEmpty { rest.note = .plain("") }
    page.sections =
      [
        Section("section.about", sums, note: "bulk.sums_note", empty: "empty.nothing")
      ] + (outcome.apple.map { [Self.section(of: $0)] } ?? []) + [rest]
    return page
  }

  func decideMany(_ form: Form, isDryRun: Bool = false) async throws -> CaseJob.DecideOutcome {
    let (ids, decision) = try await bulkOf(form)
    let shown = isDryRun || form["preview"].isEmpty ? nil : form["preview"]
    let outcome = try await job.decideMany(
      ids, decision, by: Person(), isDryRun: isDryRun, shown: shown, consent: Self.consent(form))
    guard !isDryRun else { return outcome }
    guard outcome.batchID != nil else { throw ConsoleFault(status: .conflict, message: "fault.nothing_decided") }
    try await consoleCases.refresh(ids)
    return outcome
  }

  func batch(_ id: String) async throws -> Page {
    let found = try await batchRows(id)
    let arguments: [String: Phrase] = ["count": .plain("\(found.rows.count)"), "id": .plain(id)]
    var page = Page(
      title: Phrase("batch.title", ["id": .plain(ShownID.short(id))]), visit: visit,
      subtitle: Phrase(visit.seesAll ? "batch.subtitle" : "batch.subtitle_inboxes", arguments, counting: found.rows.count), back: "/queue")
    page.sections = [Section("batch.decisions", found)]
    if visit.canWork, try found.records.contains(where: { try $0.text("account") == visit.account }) { page.fields["batch"] = ["id": id] }
    try await viewed(id)
    return page
  }

  @discardableResult
  func undoBatch(_ id: String, _ form: Form) async throws -> String {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    let cases = try await batchRows(id).records.map { try $0.text("case_id") }
    let done = try await undo(cases, batch: id, form["reason"])
    try await consoleCases.refresh(cases)
    return done
  }

  func batchRows(_ id: String) async throws -> ReportTable {
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    let found = try await table(ConsoleSQL.batch, ["batch_id": .text(id), "rows": .int8(Int64(CaseJob.batchMax))])
    guard !found.rows.isEmpty else { throw ConsoleFault.notThere }
    return found
  }

  /// Returns the cases that a form names, all in the account's inboxes, and the decision for each.
  private func bulkOf(_ form: Form) async throws -> ([String], CaseDecision) {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    let ids = Array(Set(form.all("case"))).sorted()
    guard (1...ConsoleLimits.bulkMax).contains(ids.count) else {
      throw ConsoleFault.invalid(Phrase("fault.bulk_count", ["max": .plain("\(ConsoleLimits.bulkMax)")]))
    }
    guard ids.allSatisfy({ Self.isID($0) }) else { throw ConsoleFault.noCase }
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    try await consoleCases.refresh()
    let theirs = try await table(ConsoleSQL.casesInInboxes, ["case_ids": .textArray(ids)])
    guard theirs.rows.count == ids.count else { throw ConsoleFault.noCase }
    let decision = try decision(form)
    guard Self.bulkActions.contains(decision.action.rawValue) else { throw ConsoleFault.invalid("fault.bulk_pair") }
    return (ids, decision)
  }

  private static let bulkActions = CaseAction.allCases.filter { !$0.isAboutPair }.map(\.rawValue)
}
