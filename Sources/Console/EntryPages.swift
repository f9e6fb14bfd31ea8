internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// The allow, block, tester and family lists that the rules respect.
extension CaseController {
  private static let entryFilters = ["id", "list"]

  func lists(_ query: Form) async throws -> Page {
    try checkSeesAll()
    let (found, after) = try Self.paged(try await table(ConsoleSQL.lists, Self.page(of: query, by: Self.entryFilters)))
    try await viewed("lists")
    var page = Page(title: "lists.title", visit: visit, subtitle: "lists.subtitle")
    var fields: [String: Any] = [
      "id": query["id"], "lists": RuleList.allCases.map(\.rawValue), "kinds": RuleSubject.allCases.map(\.rawValue),
      "can_add": visit.canWork,
    ]
    fields["live"] =
      try visit.canWork
      ? found.records.filter { try ["active", "waiting"].contains($0.text("status")) }.map {
        try ["entry": $0.text("entry_id"), "words": "\($0.text("list")): \($0.text("kind")) \($0.text("id"))"]
      } : []
    page.fields["entries"] = fields
    var section = Section("lists.entries", found, empty: "lists.none", hiding: ["place", "entry_id"], isCompact: true)
    if let after { section.more = Self.address("/lists", query, keeping: Self.entryFilters, after: after) }
    page.sections = [section]
    return page
  }

  func addEntry(_ form: Form) async throws {
    try checkWorksOnAll()
    guard let list = RuleList(rawValue: form["list"]), let kind = RuleSubject(rawValue: form["kind"]) else {
      throw ConsoleFault.invalid("fault.no_list")
    }
    for name in ["id", "family", "rule"] { try Self.checkLength(form[name], ConsoleLimits.idCharactersMax, "term.id") }
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    guard let until = Self.instant(form["until"]) else { throw ConsoleFault.invalid("fault.entry_until") }
    var entry = ListEntry(list: list, subject: kind, id: form["id"], owner: visit.account, reason: form["reason"], until: until)
    if !form["family"].isEmpty { entry.family = form["family"] }
    if !form["rule"].isEmpty { entry.rule = form["rule"] }
    guard try await ListJob(context: context).add(entry) else {
      throw ConsoleFault(status: .conflict, message: "fault.there_already")
    }
  }

  /// Ends a list entry. The entry stays on record.
  func removeEntry(_ id: String, _ form: Form) async throws {
    try checkWorksOnAll()
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    guard !form["reason"].isBlank else { throw ConsoleFault.invalid("fault.reason_missing") }
    try await ListJob(context: context).remove(id, by: visit.account, reason: form["reason"])
  }

  /// - Throws: `ConsoleFault` for a read-only account and for an account that is limited to its inboxes.
  private func checkWorksOnAll() throws {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    try checkSeesAll()
  }
}
