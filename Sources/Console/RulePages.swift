internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// - Throws: `ConsoleFault` for an account whose inboxes exclude suspicions.
  private func checkSeesRules() throws {
    guard visit.seesRules else { throw ConsoleFault(status: .forbidden, message: "fault.rules") }
  }

  /// Returns the context with the rules approved up to now, regardless of when the console started.
  private func ruled() async throws -> JobContext { try await context.withApprovedRules(at: context.asOf) }

  func rules() async throws -> Page {
    try checkSeesRules()
    let context = try await ruled()
    let rules = RuleChangeJob(context: context)
    var page = Page(title: "rules.title", visit: visit, subtitle: "rules.subtitle")
    let waiting = try await rules.table(RuleChangesSQL.pending, ["rule": .text("")])
    var notes = Section("rules.unapproved")
    notes.lines = .plain(context.settings.rules.unapproved.joined(separator: "\n"))
    page.sections =
      [
        Self.titled(Section("rules.title", context.settings.rules.table), context.settings.rules.table),
        Section("rules.waiting", waiting, empty: "empty.nothing_waits", hiding: ["change_id"]),
      ] + (notes.lines.isEmpty ? [] : [notes]) + [
        Section("rules.trials", Self.newest(try await rules.trials()), empty: "rules.trials_none", isCompact: true)
      ]
    try await viewed("rules")
    return page
  }

  private static func titled(_ section: Section, _ table: ReportTable) -> Section {
    guard let name = table.columns.firstIndex(of: "rule"), let title = table.columns.firstIndex(of: "suspects") else { return section }
    var section = section
    for (row, cells) in table.rows.enumerated() {
      section.rows[row][title].text = .name("rule", cells[name] ?? "", otherwise: cells[title] ?? "")
    }
    return section
  }

  private static func newest(_ table: ReportTable) -> ReportTable {
    var newest = table
    newest.rows = Array(table.rows.prefix(ConsoleLimits.pageRows))
    newest.isTruncated = newest.rows.count < table.rows.count
    return newest
  }

  func rule(_ name: String) async throws -> Page {
    try checkSeesRules()
    let context = try await ruled()
    guard let setting = context.settings.rules.rules[name],
      let definition = context.settings.rules.catalogue.first(where: { $0.name == name })
    else { throw ConsoleFault.notThere }
    let rules = RuleChangeJob(context: context)
    let trials = Self.newest(try await rules.trials(of: name))
    let waiting = try await rules.table(RuleChangesSQL.pending, ["rule": .text(name)])
    var page = Page(
      title: Phrase("rule.title", ["rule": .plain(name)]), visit: visit, subtitle: .name("rule", name, otherwise: definition.title),
      back: "/rules")
    page.fields["rule"] = try fields(of: name, setting, trials: trials, waiting: waiting)
    let asSet = context.settings.rules.table.only(name, in: "rule")
    page.sections = [
      Self.titled(Section("rules.as_set", asSet, isFacts: true), asSet),
      Section("rules.waiting", waiting, empty: "empty.nothing_waits", hiding: ["change_id", "rule"]),
      Section("rules.trials", trials, note: "rules.trials_note", empty: "rules.trials_none", hiding: ["rule"], isCompact: true),
      Section(
        "rules.changes", Self.newest(try await rules.changes(of: name)), note: "note.newest_first",
        empty: "rules.changes_none", hiding: ["change_id", "rule"], isCompact: true),
    ]
    try await viewed("rules", [.text("rule", name)])
    return page
  }

  private func fields(of name: String, _ setting: RuleSetting, trials: ReportTable, waiting: ReportTable) throws -> [String: Any] {
    let proposal = waiting.records.first
    let isOwn = try proposal?.text("account") == visit.account
    let tried = try trials.records.filter { try $0.text("status") == "finished" && $0.int("nights") > 0 }.map {
      try ["id": $0.text("trial_id"), "words": Self.words(of: $0)] as [String: Any]
    }
    return try [
      "name": name, "can_work": visit.canWork, "nights": RuleChangeJob.nightsUsual, "nights_max": RuleChangeJob.nightsMax,
      "parameters": setting.parameters.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value.text] },
      "states": RuleState.allCases.map(\.rawValue).reversed() as [String], "trials": tried,
      "can_propose": visit.canWork && proposal == nil, "can_conclude": visit.canConclude && proposal != nil && !isOwn,
      "can_withdraw": visit.canWork && proposal != nil && isOwn, "change_id": proposal?.text("change_id") ?? "",
    ]
  }

  private static func words(of trial: ReportRecord) throws -> Phrase {
    let arguments: [String: Phrase] = try [
      "parameters": .plain(trial.text("parameters")), "count": .plain(trial.text("cases")), "at": .plain(trial.text("at")),
    ]
    return try Phrase("rules.trial", arguments, counting: Int(trial.text("cases")))
  }

  func trial(_ id: String) async throws -> Page {
    try checkSeesRules()
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    let rules = RuleChangeJob(context: context)
    let trials = try await rules.trials(beginning: id)
    guard let found = trials.records.first else { throw ConsoleFault.notThere }
    var page = try Page(
      title: Phrase("trial.title", ["id": .plain(ShownID.short(id))]), visit: visit,
      subtitle: Phrase("trial.subtitle", ["rule": .plain(found.text("rule")), "parameters": .plain(found.text("parameters"))]),
      back: "/rules/\(found.text("rule"))")
    page.sections = [
      Section("trial.found", trials, isCompact: true, isFacts: true),
      Section(
        "trial.nights", try await rules.table(RuleChangesSQL.trialNights, ["trial_id": .text(id)]),
        note: "trial.nights_note",
        empty: "trial.nights_none"),
    ]
    return page
  }

  func changeRule(_ name: String, _ act: String, _ form: Form) async throws {
    try checkSeesRules()
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    let context = try await ruled()
    guard let setting = context.settings.rules.rules[name] else { throw ConsoleFault.notThere }
    let rules = RuleChangeJob(context: context)
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    let change = form["change"].isEmpty ? nil : form["change"]
    switch act {
    case "try":
      var changes: [String: String] = [:]
      for (parameter, value) in setting.parameters {
        guard let text = form.all("set_\(parameter)").last, text != value.text else { continue }
        try Self.checkLength(text, ConsoleLimits.reasonCharactersMax, "term.parameter")
        changes[parameter] = text
      }
      guard let nights = form["nights"].isEmpty ? RuleChangeJob.nightsUsual : Int(form["nights"]) else {
        throw ConsoleFault.invalid("fault.nights")
      }
      _ = try await rules.requestTrial(name, changing: changes, nights: nights, by: Person())
    case "propose":
      guard let state = RuleState(rawValue: form["state"]) else { throw ConsoleFault.invalid("fault.no_state") }
      let trial = form["trial"].isEmpty ? nil : form["trial"]
      try await rules.propose(name, state: state, trialID: trial, reason: form["reason"], by: Person())
    case "approve": try await rules.conclude(name, .approved, of: change, by: Person(), reason: form["reason"])
    case "reject": try await rules.conclude(name, .rejected, of: change, by: Person(), reason: form["reason"])
    case "withdraw": try await rules.conclude(name, .withdrawn, of: change, by: Person(), reason: form["reason"])
    default: throw ConsoleFault.notThere
    }
  }
}

extension ReportTable {
  fileprivate func only(_ text: String, in column: String) -> ReportTable {
    guard let place = columns.firstIndex(of: column) else { return self }
    var table = self
    table.rows = rows.filter { $0[place] == text }
    return table
  }
}
