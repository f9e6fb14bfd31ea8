internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// Returns the page about the customer that an id leads to: a user, or whatever names only one. Other ids lead to the search.
  func customer(_ text: String, canAsk: Bool) async throws -> Page {
    try checkSeesAll()
    try Self.checkLength(text, ConsoleLimits.idCharactersMax, "term.id")
    guard !text.isEmpty, let user = try await user(of: text) else { return try await search(text, canAsk: canAsk) }
    try await viewed("customer", [.text("id_sha256", SHA256.hex(Array(user.utf8)))])
    try await consoleCases.refresh()
    var page = Page(title: Phrase("customer.title", ["id": .plain(user)]), visit: visit, subtitle: "customer.subtitle")
    page.fields["search"] = ["q": text]
    page.sections = try await customerSections(user)
    return page
  }

  /// Returns the only user that an id leads to; nil for none or several.
  private func user(of id: String) async throws -> String? {
    let people = try await table(ConsoleSQL.person, ["id": .text(id), "rows": .int8(2)])
    guard people.rows.isEmpty else { return people.rows.count == 1 ? try people.records[0].text("user_id") : nil }
    let ids = try await factIDs(of: id)
    let items = try await table(ConsoleSQL.identities, about: ids)
    let users = try Set(items.records.compactMap { try $0["user_id"] }.map(ByteText.init))
    return users.count == 1 ? users.first?.text : nil
  }

  private func customerSections(_ user: String) async throws -> [Section] {
    let newest = Int64(ConsoleLimits.customerFactsMax)
    let facts = try await table(ConsoleSQL.factsOf, ["id": .text(user), "rows": .int8(newest)])
    let ids = try CaseIDs(facts: facts)
    let all: [String: Value] = ["user_id": .text(user), "id": .text(user), "case_id": .text("")]
    func rows(_ listing: Listing) async throws -> ReportTable {
      try await table(listing, about: ids, context.sql(listing).picking(from: all))
    }
    var sections = [Section("search.who", try await rows(ConsoleSQL.person), isCompact: true, isFacts: true)]
    for part in Self.customerTables {
      sections.append(Section(part.title, try await rows(part.listing), note: part.note, empty: part.empty, isCompact: true))
    }
    if facts.rows.count == Int(newest) {
      sections[1].note = sections[1].note + .plain(" ") + Phrase("customer.newest", ["max": .plain("\(newest)")])
    }
    return sections + [Section(timeline: try await rows(ConsoleSQL.timeline), empty: "empty.here")]
  }

  private static let customerTables: [(title: Phrase, note: Phrase, empty: Phrase, listing: Listing)] = [
    ("customer.totals", "customer.totals_note", "customer.totals_none", ConsoleSQL.customerTotals),
    ("customer.cases", "customer.cases_note", "customer.cases_none", ConsoleSQL.customerCases),
    ("customer.orders", "customer.orders_note", "customer.orders_none", ConsoleSQL.customerOrders),
    ("customer.charges", "customer.charges_note", "customer.charges_none", ConsoleSQL.customerCharges),
    ("customer.subscriptions", "customer.subscriptions_note", "customer.subscriptions_none", ConsoleSQL.customerSubscriptions),
    ("customer.refunds", "customer.refunds_note", "customer.refunds_none", ConsoleSQL.customerRefunds),
    ("customer.links", "customer.links_note", "customer.links_none", ConsoleSQL.customerLinks),
  ]
}
