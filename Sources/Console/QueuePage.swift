internal import Domain
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  static let filters = ["name", "severity", "app", "currency", "late"] + moreFilters

  /// Filters that the form shows below the others.
  private static let moreFilters = ["storefront", "holder", "assignee", "days", "under", "day", "until", "amount", "aside"]

  func queue(_ query: Form) async throws -> Page {
    // Without a filter, the queue leaves out the proposals that the account cannot approve.
    let isPartial = visit.canWork && Self.filters.allSatisfy { query[$0].isEmpty }
    let (table, after) = try await queueRows(query, approver: isPartial ? .text(visit.canConclude ? visit.account : "") : .null)
    var page = Page(title: "queue.title", visit: visit, subtitle: "queue.subtitle")
    let fields: [String: Any] = Dictionary(uniqueKeysWithValues: Self.filters.map { ($0, query[$0]) })
    let choices: [String: Any] = [
      "me": visit.account, "severities": Self.severities(query), "names": try await suggestedNames(),
      "apps": context.settings.apps.map(\.bundleID),
    ]
    page.fields["queue"] = fields.merging(choices) { $1 }
    for name in ["aside", "late"] where !query[name].isEmpty { page.fields["\(name)_too"] = true }
    page.fields["has_more"] = Self.moreFilters.contains { !query[$0].isEmpty }
    page.fields["saved"] = try await savedViews(query)
    if visit.canWork { page.fields["many"] = ["address": Self.address("/bulk", query, keeping: Self.filters)] }
    var section = Section(
      "section.cases", table, note: isPartial ? "queue.partial" : .plain(""), empty: Self.nothing("queue.none", query, by: Self.filters),
      hiding: ["place", "amount_milliunits", "currency"], isCompact: true)
    if let after { section.more = Self.address("/queue", query, keeping: Self.filters, after: after) }
    page.sections = [section]
    return page
  }

  private func suggestedNames() async throws -> [[String: Any]] {
    let classes = try await table(ConsoleSQL.terms).records.map { try $0.text("class") }
    let rules = visit.seesRules ? context.settings.rules.catalogue.map(\.name) : []
    return (classes.sorted() + rules.sorted()).map { ["code": $0, "title": Headline.title(of: $0)] }
  }

  /// Returns a page of the queue and the position of the next page; nil on the last page.
  ///
  /// - Parameter approver: account whose own proposals are left out, an empty text to leave out all, null for none.
  func queueRows(_ query: Form, approver: Value = .null) async throws -> (table: ReportTable, after: String?) {
    try await consoleCases.refresh()
    let parameters = try queueParameters(query, rows: ConsoleLimits.pageRows + 1).merging(["approver": approver]) { $1 }
    let found = try await table(ConsoleSQL.queue, parameters)
    try await viewed("queue")
    return try Self.paged(found)
  }

  func queueParameters(_ query: Form, rows: Int) throws -> [String: Value] {
    let days = try Self.number(query["days"], "term.days", max: 36_500)
    let under = try Self.number(query["under"], "term.under", max: 36_500)
    let ages = under > 0 && under - days <= Self.daysMax ? (under, days) : nil
    let day = try Self.day(query["day"])
    func bound(_ age: Int64?) -> Value { (day ?? age.map { context.asOf.advanced(bySeconds: -$0 * 86_400) }).sqlValue }
    let others: [String: Value] = [
      "name": try filteredName(query), "rows": .int8(Int64(rows)), "aside": .bool(!query["aside"].isEmpty), "approver": .null,
      "late": .bool(!query["late"].isEmpty),
      "under": .int8(under), "days": .int8(days), "first_day": bound(ages?.0), "last_day": bound(ages?.1),
      "until_day": try Self.day(query["until"]).sqlValue,
      "amount": .int8(try Self.number(query["amount"], "term.amount", max: 1_000_000_000_000) * 1000),
    ]
    return try Self.page(of: query, by: ["name", "severity", "app", "storefront", "holder", "assignee", "currency"]).merging(others) { $1 }
  }

  /// Counts the cases of the lists in the navigation, up to one more than is shown.
  func navigationCounts() async throws -> [String: Int64] {
    let most: [String: Value] = ["most": .int8(ConsoleLimits.countMax + 1)]
    let parameters = try context.sql(ConsoleSQL.navCounts).picking(from: commonParameters).merging(most) { $1 }
    let counts = try await context.rows(ConsoleSQL.navCounts, parameters, as: .review).first
    guard let (mine, approvals, watching, overdue, following) = counts else { return [:] }
    return [
      "/mine": mine, "/approvals": approvals, "/watching": watching, "/queue?late=yes": overdue, "/following": following,
    ]
  }

  func mine() async throws -> Page {
    try await consoleCases.refresh()
    var page = Page(title: "mine.title", visit: visit, subtitle: "mine.subtitle")
    let lists: [(title: Phrase, filter: String, empty: Phrase)] = [
      ("mine.in_hand", "holder", "mine.no_case_in_hand"), ("mine.assigned", "assignee", "mine.nothing_assigned"),
    ]
    for (title, filter, empty) in lists {
      var query = Form()
      query.set(filter, visit.account)
      query.set("aside", "yes")
      let found = try await table(ConsoleSQL.queue, try queueParameters(query, rows: Int(Self.cardRows)))
      page.sections.append(
        Section(
          title, found, empty: empty, hiding: ["place", "amount_milliunits", "currency", "assignee"], isCompact: true))
    }
    try await viewed("mine")
    return page
  }

  func approvals() async throws -> Page {
    try await consoleCases.refresh()
    let found = try await table(ConsoleSQL.approvals)
    try await viewed("approvals")
    return Page(
      title: "approvals.title", visit: visit, subtitle: "approvals.subtitle",
      sections: [Section("section.cases", found, empty: "approvals.none", isCompact: true)])
  }

  /// Returns the cases that were decided without settling their breaks.
  func watching() async throws -> Page {
    try await consoleCases.refresh()
    let found = try await table(ConsoleSQL.watching)
    try await viewed("watching")
    return Page(
      title: "watching.title", visit: visit, subtitle: "watching.subtitle",
      sections: [Section("section.cases", found, empty: "watching.none", isCompact: true)])
  }

  /// Returns decided cases, newest first, of one class or rule and of one day if the address names them.
  func decided(_ query: Form) async throws -> Page {
    try Self.checkLength(query["name"], ConsoleLimits.queryCharactersMax, "term.filter")
    try await consoleCases.refresh()
    let day = try Self.day(query["day"])
    let last = day.map { min(context.asOf, $0.advanced(bySeconds: 86_399)) } ?? context.asOf
    let span: [String: Value] = [
      "since": (day ?? Timestamp(microseconds: 0)).sqlValue, "until": last.sqlValue, "name": .text(query["name"]),
    ]
    let found = try await table(ConsoleSQL.decided, span)
    try await viewed("decided")
    let about = query["name"].isEmpty ? Phrase.plain("") : Headline.title(of: query["name"])
    let codes = Phrase.plain(" \(query["name"]) \(query["day"])")
    return Page(
      title: "decided.title", visit: visit, subtitle: day == nil && about.isEmpty ? "decided.subtitle" : about + codes,
      sections: [Section("section.cases", found, empty: "decided.none", isCompact: true)])
  }

  /// Longest span of opening days that is read day by day. Longer spans contain most cases, so the queue is read in its order.
  private static let daysMax: Int64 = 31

  /// Parses the date of a filter and returns its start in UTC; nil for an empty text.
  private static func day(_ text: String) throws -> Timestamp? {
    guard !text.isEmpty else { return nil }
    guard let day = CivilDate(text) else { throw ConsoleFault.invalid(Phrase("fault.no_day", ["day": .plain(text.prefix(30))])) }
    return day.start
  }

  func caseInHand() async throws -> String? {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    let parameters = try context.sql(ConsoleSQL.inHand).picking(from: commonParameters)
    return try await context.rows(ConsoleSQL.inHand, parameters, as: .review).first
  }

  func takeNext() async throws -> String? {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    try await consoleCases.refresh()
    return try await consoleCases.takeNext(of: visit.inboxes, by: Person(), leaseSeconds: ConsoleLimits.leaseSeconds)
  }

  /// Parses the whole number of a filter; 0 for an empty text.
  private static func number(_ text: String, _ what: Phrase, max: Int64) throws -> Int64 {
    guard !text.isEmpty else { return 0 }
    guard let number = Int64(text), (0...max).contains(number) else {
      throw ConsoleFault.invalid(Phrase("fault.number", ["what": what, "max": .plain("\(max)")]))
    }
    return number
  }
}
