internal import Cryptography
internal import JobCore
internal import Matching
internal import Postgres

extension Desk {
  /// What is known of an id.
  func search(_ text: String) async throws -> Page {
    try checkSeesAll()
    var page = Page(title: "Search", visit: visit, subtitle: "Order, transaction, charge, break, user, token, device, evidence")
    page.fields["search"] = ["q": text]
    guard !text.isEmpty else { return page }
    let known = try await known(of: text)
    var section = Section("What is known")
    section.lines = known.lines
    page.sections = known.sections + [section]
    return page
  }

  /// What is known of an id: in words, and side by side.
  struct Known {
    var id: String
    var lines = ""
    /// nil where it leads to no order and no charge.
    var identities: ReportTable?
    var timeline: ReportTable?
    var evidence: ReportTable?

    /// The orders and charges that the id leads to, with their evidence.
    var sections: [Section] {
      let named = identities.map { Section("Who and what it names", $0, isCompact: true) }
      let told = timeline.map { Section("Time line", $0) }
      let signed = evidence.map { Section("Signed evidence", $0, empty: "No evidence names it.", isCompact: true) }
      return [named, told, signed].compactMap(\.self)
    }
  }

  /// What is known of an id, or of what begins with it.
  func known(of text: String) async throws -> Known {
    try checkSeesAll()
    try Self.checkLength(text, ConsoleLimits.queryCharactersMax, "An id")
    let id = try await IDResolver(context: context).whole(text, among: IDKind.explained)
    let lines = try await ExplainJob(context: context).explain(id)
    var known = try await explained(id)
    known.lines = lines
    // What was looked for may name a person: its hash alone is kept.
    try await viewed("search", [.text("id_sha256", SHA256.hex(Array(id.utf8)))])
    return known
  }

  private func explained(_ id: String) async throws -> Known {
    let context = context
    let found = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try ReportTable.read("explain/subject.sql", ["id": .text(id)], files: context.sql, tx: &tx)
    }
    func ids(_ kind: String) -> [String] {
      Array(found.rows.filter { $0.first == kind }.compactMap { $0[1] }.prefix(ConsoleLimits.cardIDsMax))
    }
    // A break about evidence alone leads to it by its own id.
    let ids = CaseIDs(orders: ids("order"), charges: ids("charge"), breaks: [id])
    var known = Known(id: id)
    let evidence = try await table("evidence_of", ids.all)
    let isOfSome = !(ids.orders + ids.charges).isEmpty
    if isOfSome {
      known.identities = try await table("identities", ids.parameters)
      known.timeline = try await table("timeline", ids.parameters.merging(["as_of": asOf]) { first, _ in first })
    }
    if isOfSome || !evidence.rows.isEmpty { known.evidence = evidence }
    return known
  }

  private static let breakFilters = ["name", "severity", "app"]

  /// A page of the open breaks, most severe first, and where the next one begins; nil for the last.
  func breakRows(_ query: Form) async throws -> (table: ReportTable, after: String?) {
    try checkSeesAll()
    var parameters: [String: Value] = [
      "as_of": asOf, "after": .text(query["after"]), "rows": .int8(Int64(ConsoleLimits.pageRows + 1)),
    ]
    for name in Self.breakFilters {
      try Self.checkLength(query[name], ConsoleLimits.queryCharactersMax, "A filter")
      parameters[name] = .text(query[name])
    }
    let found = try await table("breaks", parameters)
    try await viewed("breaks")
    return try Self.paged(found)
  }

  /// Open breaks, most severe first.
  func breaks(_ query: Form) async throws -> Page {
    let (table, after) = try await breakRows(query)
    var page = Page(title: "Breaks", visit: visit, subtitle: "Open as the latest detection left them, most severe first")
    page.fields["breaks"] = Dictionary(uniqueKeysWithValues: Self.breakFilters.map { ($0, query[$0]) })
    var section = Section("Open breaks", table, empty: "No break is open.", hiding: ["place", "amount_milliunits", "currency"])
    if let after { section.more = Self.address("/breaks", query, keeping: Self.breakFilters, after: after) }
    page.sections = [section]
    return page
  }

  /// A break down to its rows and the signed evidence behind them.
  func oneBreak(_ id: String) async throws -> Page {
    try checkSeesAll()
    guard Self.isID(id) else { throw ConsoleFault.notThere }
    let parts = try await table("break_parts", ["break_id": .text(id)])
    guard let record = parts.records.first else { throw ConsoleFault.notThere }
    var page = try Page(title: "Break \(id.prefix(8))", visit: visit, subtitle: record.text("class"))
    var told = Section("What is known")
    told.lines = try await ExplainJob(context: context).explain(id)
    var facts = Section("What it is about", parts, isCompact: true)
    facts.isFacts = true
    page.sections = [facts] + (try await explained(id)).sections + [told]
    page.fields["back"] = "/breaks"
    try await viewed(id)
    return page
  }

  /// A page of the runs, newest first, and where the next one begins; nil for the last.
  func runRows(_ query: Form) async throws -> (table: ReportTable, after: String?) {
    try checkSeesAll()
    let parameters: [String: Value] = ["after": .text(query["after"]), "rows": .int8(Int64(ConsoleLimits.pageRows + 1))]
    return try Self.paged(try await table("runs", parameters))
  }

  /// Runs, newest first.
  func runs(_ query: Form) async throws -> Page {
    let (table, after) = try await runRows(query)
    var page = Page(title: "Runs", visit: visit, subtitle: "Newest first")
    var section = Section("Runs", table, empty: "Nothing has run yet.", hiding: ["place"])
    if let after { section.more = Self.address("/runs", query, keeping: [], after: after) }
    page.sections = [section]
    return page
  }

  /// A run with what it read, counted and changed.
  func run(_ id: String) async throws -> Page {
    try checkSeesAll()
    let context = context
    let parts = [
      ("Attempts", RunsSQL.show), ("What it read", RunsSQL.showInputs), ("What it counted", RunsSQL.showCounts),
      ("What it changed in the list of breaks", RunsSQL.showBreaks),
    ]
    let tables = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try parts.map { try ReportTable.read($0.1, ["run_id": .text(id)], files: context.sql, tx: &tx) }
    }
    guard tables.first?.rows.isEmpty == false else { throw ConsoleFault.notThere }
    var page = Page(title: "Run", visit: visit, subtitle: id)
    page.sections = zip(parts, tables).map { Section($0.0.0, $0.1, isLinked: false) }
    page.fields["back"] = "/runs"
    return page
  }
}
