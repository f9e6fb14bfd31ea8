internal import Domain
internal import JobCore
internal import Postgres
internal import Review

extension Desk {
  private static let nights: Int64 = 30

  /// How much waits, how late, for how much, and how the last nights ended.
  func dashboard() async throws -> Page {
    try await board.refresh()
    let desk = self
    let key = visit.seesAll ? "" : visit.inboxes.sorted().joined(separator: " ")
    let counted = try await Figures.shared.figures("dashboard \(key)") { try await desk.counted() }
    let backlog = counted.tables[0]
    func sum(_ name: String) -> String { "\(backlog.records.reduce(0) { $0 + $1.int(name) })" }
    var page = Page(title: "Dashboard", visit: visit)
    let late = sum("late")
    if counted.asOf != context.asOf { page.subtitle = "As counted at \(Section.instant(counted.asOf.rfc3339) ?? "")" }
    page.fields["has_figures"] = true
    page.fields["figures"] = [
      ["label": "Cases that wait", "value": sum("case_count"), "class": ""],
      ["label": "For a second person", "value": sum("for_a_second_person"), "class": ""],
      ["label": "Past their due time", "value": late, "class": late == "0" ? "good" : "alarm"],
      ["label": "Critical", "value": sum("critical"), "class": ""],
    ]
    page.sections = [
      Section("Backlog by age", backlog, note: "By how long ago they were opened."),
      Section(
        "At stake by currency", counted.tables[1],
        note: "Cases whose breaks are of one currency; the others have no sum.", empty: "Nothing that waits has an amount."),
      Section(
        "What it is about", counted.tables[2],
        note: "A case counts under each of its classes and rules.", empty: "Nothing waits."),
    ]
    if visit.seesAll {
      page.sections += [
        Section(
          "Precision of the rules", counted.tables[3],
          note: "Of decided cases that still show the rule, by the newest decision that holds.",
          empty: "No case with a rule was decided yet."),
        Section(
          "Last \(Self.nights) nights", try await table("nights", ["rows": .int8(Self.nights)]), empty: "No night ran yet."),
      ]
    }
    return page
  }

  /// What is counted over all cases: backlog, exposure, classes and rules, and for whoever sees all, precision.
  private func counted() async throws -> Figures.Counted {
    let rows: Value = .int8(Self.cardRows)
    var tables = [
      try await table("backlog", ["as_of": asOf, "inboxes": inboxes]),
      try await table("exposure", ["inboxes": inboxes, "rows": rows]),
      try await table("waiting_names", ["as_of": asOf, "inboxes": inboxes, "rows": rows]),
    ]
    if visit.seesAll { tables.append(try await table("precision", ["rows": rows])) }
    return Figures.Counted(tables: tables, asOf: context.asOf, took: .zero)
  }

  /// Accounts, for administrators.
  func people() async throws -> Page {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let people = try await table("people")
    try await viewed("people")
    var page = Page(
      title: "People", visit: visit, subtitle: "Accounts are made and ended by the owner of the schema: payrecon account")
    page.fields["people"] = people.records.filter { $0.int("session_count") > 0 }.map { ["name": $0.text("account")] }
    page.sections = [Section("Accounts", people)]
    return page
  }

  /// Ends all sessions of an account.
  func endSessions(of account: String) async throws {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let context = context
    let actor = visit.account
    let file = try context.sql("console/end_all.sql")
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: actor, act: .sessionEnded, subject: account), in: context)
      _ = try tx.run(file, ["account": .text(account)])
    }
  }
}
