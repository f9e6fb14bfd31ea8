internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Wording

/// Queue filters saved under a name, for one account or for all.
extension CaseController {
  func savedViews(_ query: Form) async throws -> [String: Any] {
    let found = try await table(ConsoleSQL.views, ["rows": .int8(ConsoleLimits.viewsShownMax)]).records
    let views = try found.map { row -> [String: Any] in
      try [
        "name": row.text("name"), "address": "/queue?\(row.text("query"))", "is_mine": row["is_mine"] == "t",
        "whose": row["is_mine"] != "t"
          ? Phrase("views.by", ["account": .plain(row.text("account"))])
          : row["is_shared"] == "t" ? "views.shared" : .plain(""),
      ]
    }
    return [
      "views": views, "has_views": !views.isEmpty, "own": views.filter { $0["is_mine"] as? Bool == true },
      "fields": Self.filters.filter { !query[$0].isEmpty }.map { ["name": $0, "value": query[$0]] },
    ]
  }

  func saveView(_ form: Form) async throws {
    let name = form["view"]
    guard !name.isBlank, name.count <= ConsoleLimits.viewCharactersMax else {
      throw ConsoleFault.invalid(Phrase("fault.view_name", ["max": .plain("\(ConsoleLimits.viewCharactersMax)")]))
    }
    // Validated by the queue's own check, so that every saved filter can be opened.
    _ = try queueParameters(form, rows: 1)
    let query = Self.address("", form, keeping: Self.filters).drop { $0 == "?" }
    guard query.utf8.count <= ConsoleLimits.queryCharactersMax * 10 else { throw ConsoleFault.invalid("fault.filter_size") }
    let isShared = !form["shared"].isEmpty
    guard !isShared || visit.canWork else { throw ConsoleFault.notAllowed }
    try await change(
      ConsoleSQL.saveView,
      [
        "name": .text(name), "query": .text(String(query)), "is_shared": .bool(isShared), "views": .int8(ConsoleLimits.viewsMax),
      ], .viewSaved,
      refusal: ConsoleFault(status: .conflict, message: Phrase("fault.views", ["max": .plain("\(ConsoleLimits.viewsMax)")])))
  }

  func removeView(_ form: Form) async throws {
    try await change(ConsoleSQL.removeView, ["name": .text(form["view"])], .viewRemoved, refusal: .notThere)
  }

  private func change(_ statement: Statement<>, _ parameters: [String: Value], _ act: AuditAct, refusal: ConsoleFault) async throws {
    let isDone = try await record(act, of: visit.account) { tx in try tx.run(context.sql(statement), parameters) == 1 }
    guard isDone else { throw refusal }
  }
}
