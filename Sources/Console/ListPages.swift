internal import Collect
internal import Cryptography
internal import Domain
internal import JobCore
internal import Matching
internal import Postgres
internal import Reports
internal import Review
internal import Wording

extension CaseController {
  /// Returns the search result of an id. For an unknown id, the page offers to query Apple if `canAsk`.
  func search(_ typed: String, canAsk: Bool) async throws -> Page {
    try checkSeesAll()
    let text = typed.replacing(/^\s+|\s+$/, with: "")
    var page = Page(title: "search.title", visit: visit, subtitle: "search.subtitle")
    page.fields["search"] = ["q": text]
    guard !text.isEmpty else { return page }
    try Self.checkLength(text, ConsoleLimits.idCharactersMax, "term.id")
    let candidates = try await IDResolver(context: context).candidates(text, among: IDKind.explainable)
    guard candidates.count < 2 else {
      let table = ReportTable(columns: ["kind", "id"], rows: candidates.map { [$0.kind.rawValue, $0.id] })
      page.message = Phrase("search.several", ["text": .plain(text)])
      page.sections = [Section("search.candidates", table, note: "search.candidates_note")]
      return page
    }
    if candidates.isEmpty, let cases = try await cases(beginning: text) {
      page.sections = [cases]
      return page
    }
    let known: KnownFacts
    do {
      known = try await self.known(of: candidates.first?.id ?? text, includesTrace: false)
    } catch let error as JobError where error.isNotFound {
      page.message = canAsk || !visit.canWork ? "search.unknown" : "search.no_key"
      page.isRefusal = true
      if canAsk, visit.canWork { page.fields["search"] = ["q": text, "ask": ["id": text]] }
      return page
    }
    page.sections = known.sections
    guard !known.lines.isEmpty else { return page }
    var section = Section("section.known", lines: known.lines)
    section.rungs = Self.rungsAddress(of: known.id)
    page.sections.append(section)
    return page
  }

  private func cases(beginning text: String) async throws -> Section? {
    try await consoleCases.refresh()
    let found = try await table(ConsoleSQL.casesBeginning, ["prefix": .text(text)])
    return found.rows.isEmpty ? nil : Section("section.cases", found)
  }

  /// Queries Apple about an id unknown here, such as the order number on a customer's invoice. Stores the answer as evidence.
  func askApple(_ text: String, _ access: StoreAccess) async throws -> Page {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    try checkSeesAll()
    try Self.checkLength(text, ConsoleLimits.idCharactersMax, "term.id")
    let found = try await AppleQuestion(context: context, access: access).ask(text)
    try await record(
      .appleAsked, of: "search", [.text("id_sha256", SHA256.hex(Array(text.utf8))), .number("transactions", Int64(found.count))])
    var page = Page(title: "apple.title", visit: visit, subtitle: .plain(text))
    page.fields["search"] = ["q": text]
    let table = ReportTable(columns: ["transaction_id"], isNumeric: [false], rows: found.map { [$0] })
    page.sections = [Section("apple.transactions", table, note: "apple.note", empty: "apple.none")]
    return page
  }

  /// The facts connected with an id, for the page of a search or a break.
  struct KnownFacts {
    var id: String
    var lines = Phrase.plain("")
    /// Users of a user id, token or device; nil for other ids.
    var people: ReportTable?
    /// nil if the id leads to no order and no charge.
    var identities: ReportTable?
    var timeline: ReportTable?
    var evidence: ReportTable?

    var sections: [Section] {
      let users = people.map { Section("search.who", $0, isCompact: true) }
      let named = identities.map { Section("section.identities", $0, isCompact: true) }
      let events = timeline.map { Section(timeline: $0, empty: "empty.here") }
      let signed = evidence.map { Section("section.evidence", $0, empty: "empty.evidence", isCompact: true) }
      return [users, named, events, signed].compactMap(\.self)
    }
  }

  /// Returns the facts connected with an id or with a prefix of one. The match trace takes 0.1 s longer.
  func known(of text: String, includesTrace: Bool) async throws -> KnownFacts {
    try checkSeesAll()
    try Self.checkLength(text, ConsoleLimits.idCharactersMax, "term.id")
    let id = try await IDResolver(context: context).completed(text, among: IDKind.explainable)
    var known = try await connectedTables(id)
    // For a person or a device, the page's tables suffice.
    let tablesSuffice = !includesTrace && known.people != nil
    if !tablesSuffice {
      known.lines = try await ExplainJob(context: context).explanations(of: [id], includesTrace: includesTrace).first?.text ?? .plain("")
    }
    // The search text may name a person, so only its hash is recorded.
    try await viewed("search", [.text("id_sha256", SHA256.hex(Array(id.utf8)))])
    return known
  }

  func factIDs(of id: String) async throws -> CaseIDs {
    let found = try await context.rows(ExplainSQL.subject, ["id": .text(id)], as: .review)
    func ids(_ kind: String) -> [String] { Array(found.filter { $0.0 == kind }.map(\.1).prefix(ConsoleLimits.cardIDsMax)) }
    // A break about evidence alone has no order or charge, so its own id finds the evidence.
    return CaseIDs(orders: ids("order"), charges: ids("charge"), breaks: [id])
  }

  /// Returns the explanation of an id without Apple's statements.
  func explanation(of id: String, includesTrace: Bool = true) async throws -> Phrase {
    try await ExplainJob(context: context).explanations(of: [id], includesTrace: includesTrace, hasFacts: false)[0].text
  }

  /// Returns the tables about an id: its users, identities, timeline and evidence. The explanation is left empty.
  private func connectedTables(_ id: String) async throws -> KnownFacts {
    var ids = try await factIDs(of: id)
    var known = KnownFacts(id: id)
    if ids.orders.isEmpty, ids.charges.isEmpty {
      // The tables include pending cases, so these are gathered first.
      try await consoleCases.refresh()
      let people = try await table(ConsoleSQL.person, ["id": .text(id)])
      if !people.rows.isEmpty { known.people = people }
      let facts = try CaseIDs(
        facts: await table(ConsoleSQL.factsOf, ["id": .text(id), "rows": .int8(Int64(ConsoleLimits.cardIDsMax))]))
      (ids.orders, ids.charges) = (facts.orders, facts.charges)
    }
    let evidence = try await table(ConsoleSQL.evidenceOf, about: ids)
    let isOfSome = !(ids.orders + ids.charges).isEmpty
    if isOfSome {
      known.identities = try await table(ConsoleSQL.identities, about: ids)
      known.timeline = try await table(ConsoleSQL.timeline, about: ids, ["case_id": .text("")])
    }
    if isOfSome || !evidence.rows.isEmpty { known.evidence = evidence }
    return known
  }

  private static let breakFilters = ["name", "severity", "app"]

  func breakRows(_ query: Form) async throws -> (table: ReportTable, after: String?) {
    try checkSeesAll()
    let parameters = try Self.page(of: query, by: Self.breakFilters).merging(["name": filteredName(query)]) { $1 }
    let ids = try await table(ConsoleSQL.breakPage, parameters).records.map { try $0.text("break_id") }
    let found = try await table(ConsoleSQL.breaks, ["break_ids": .textArray(ids)])
    try await viewed("breaks")
    return try Self.paged(found)
  }

  func breaks(_ query: Form) async throws -> Page {
    let (table, after) = try await breakRows(query)
    var page = Page(title: "breaks.title", visit: visit, subtitle: "breaks.subtitle")
    let fields: [String: Any] = Dictionary(uniqueKeysWithValues: Self.breakFilters.map { ($0, query[$0]) })
    page.fields["breaks"] = fields.merging(["severities": Self.severities(query)] as [String: Any]) { $1 }
    let empty = Self.nothing("breaks.none", query, by: Self.breakFilters)
    // The page of a break names its charge.
    var section = Section("breaks.open", table, empty: empty, hiding: ["place", "charge_id", "amount_milliunits", "currency"])
    if let after { section.more = Self.address("/breaks", query, keeping: Self.breakFilters, after: after) }
    page.sections = [section]
    return page
  }

  func oneBreak(_ id: String) async throws -> Page {
    try checkSeesAll()
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    var parts = try await table(ConsoleSQL.breakParts, ["break_id": .text(id)])
    guard let record = parts.records.first else { throw ConsoleFault.notThere }
    let (name, runbook) = try (record.text("class"), record.text("what_to_do"))
    parts.phrases["what_to_do"] = [runbook: .name("runbook", name, otherwise: runbook)]
    var page = Page(title: Phrase("break.title", ["id": .plain(ShownID.short(id))]), visit: visit, subtitle: .plain(name), back: "/breaks")
    var known = try await Section("section.known", lines: explanation(of: id, includesTrace: false))
    known.rungs = Self.rungsAddress(of: id)
    let facts = Section("section.about", parts, isCompact: true, isFacts: true)
    page.sections = [facts] + (try await connectedTables(id)).sections + [known]
    try await viewed(id)
    return page
  }

  func runRows(_ query: Form) async throws -> (table: ReportTable, after: String?) {
    try checkSeesAll()
    let parameters = try Self.page(of: query, by: [])
    return try Self.paged(try await table(ConsoleSQL.runs, parameters))
  }

  func runs(_ query: Form) async throws -> Page {
    let (table, after) = try await runRows(query)
    var page = Page(title: "runs.title", visit: visit, subtitle: "runs.subtitle")
    var section = Section("runs.title", table, empty: "runs.none", hiding: ["place"])
    if let after { section.more = Self.address("/runs", query, keeping: [], after: after) }
    page.sections = [section]
    return page
  }

  func run(_ id: String) async throws -> Page {
    try checkSeesAll()
    let parts: [(title: Phrase, statement: Listing)] = [
      ("run.attempts", RunsSQL.show), ("run.read", RunsSQL.showInputs), ("run.counted", RunsSQL.showCounts),
      ("run.changed", RunsSQL.showBreaks),
    ]
    var tables = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try parts.map { try ReportTable.read($0.statement, ["run_id": .text(id)], files: context.sql, tx: &tx) }
    }
    tables[0].rows.reverse()
    guard tables.first?.rows.isEmpty == false else { throw ConsoleFault.notThere }
    var page = Page(title: "run.title", visit: visit, subtitle: .plain(id), back: "/runs")
    page.sections = zip(parts, tables).map { Section($0.0.title, $0.1, isLinked: false) }
    let clock = try tables[0].records.first?.text("as_of") ?? ""
    let figures = ReportTable(columns: ["table"], rows: FigureTable.allCases.map { [$0.rawValue] })
    page.sections.append(Section("run.figures", figures, note: "run.figures_note", links: Links(clock: clock)))
    return page
  }
}
