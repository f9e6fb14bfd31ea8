internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// The lists that the rules respect: whom a person vouches for, or warns of.
extension Desk {
  private static let entryFilters = ["id", "list"]

  /// A page of the lists, newest entries first, and how to put somebody or something on one.
  func lists(_ query: Form) async throws -> Page {
    try checkSeesAll()
    var parameters = try Self.page(of: query, by: Self.entryFilters)
    parameters["as_of"] = asOf
    let (found, after) = try Self.paged(try await table(ConsoleSQL.lists, parameters))
    try await viewed("lists")
    var page = Page(
      title: "lists.title", visit: visit, subtitle: "lists.subtitle")
    var fields: [String: Any] = [
      "id": query["id"], "lists": RuleList.allCases.map(\.rawValue), "kinds": RuleSubject.allCases.map(\.rawValue),
      "can_add": visit.canWork,
    ]
    fields["live"] = try visit.canWork
      ? found.records.filter { try ["active", "waiting"].contains($0.text("status")) }.map {
        try ["entry": $0.text("entry_id"), "words": "\($0.text("list")): \($0.text("kind")) \($0.text("id"))"]
      } : []
    page.fields["entries"] = fields
    var section = Section("lists.entries", found, empty: "lists.none", hiding: ["place", "entry_id"], isCompact: true)
    if let after { section.more = Self.address("/lists", query, keeping: Self.entryFilters, after: after) }
    page.sections = [section]
    return page
  }

  /// Puts somebody or something on a list, as the command line does.
  func addEntry(_ form: Form) async throws {
    try checkWorksOnAll()
    guard let list = RuleList(rawValue: form["list"]), let kind = RuleSubject(rawValue: form["kind"]) else {
      throw ConsoleFault(status: .badRequest, message: "fault.no_list")
    }
    for name in ["id", "family", "rule"] { try Self.checkLength(form[name], ConsoleLimits.queryCharactersMax, "term.id") }
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    guard let until = Self.instant(form["until"]) else {
      throw ConsoleFault(status: .badRequest, message: "fault.entry_until")
    }
    var entry = ListEntry(
      list: list, subject: kind, id: form["id"], owner: visit.account, reason: form["reason"], until: until)
    if !form["family"].isEmpty { entry.family = form["family"] }
    if !form["rule"].isEmpty { entry.rule = form["rule"] }
    guard try await ListJob(context: context).add(entry) else {
      throw ConsoleFault(status: .conflict, message: "fault.there_already")
    }
  }

  /// Takes an entry off its list; it stays on record.
  func removeEntry(_ id: String, _ form: Form) async throws {
    try checkWorksOnAll()
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    guard !form["reason"].isBlank else {
      throw ConsoleFault(status: .badRequest, message: "fault.reason_missing")
    }
    try await ListJob(context: context).remove(id, by: visit.account, reason: form["reason"])
  }

  /// - Throws: `ConsoleFault` for an account that only looks, or that sees the cases of its inboxes alone.
  private func checkWorksOnAll() throws {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    try checkSeesAll()
  }
}
