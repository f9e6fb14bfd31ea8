/// Users, products and prices have no change instant. The row ingested at the later clock counts, and at one clock the greatest
/// row.
@Suite(.cleansUp) struct NewestRowCountsTests {
  private struct File: Sendable {
    var name: String
    var asOf: String
  }

  private static let files = [
    File(name: "first", asOf: "2026-05-11T12:00:00Z"), File(name: "second", asOf: "2026-05-12T12:00:00Z"),
    File(name: "beside", asOf: "2026-05-12T12:00:00Z"),
  ]
  private static let decided = "2026-05-12T18:00:00Z"
  private static let clock = "2026-05-13T12:00:00Z"

  /// One user or product: its row in each file, its final values, and its values as of the first clock.
  private struct Case: Sendable {
    var id: String
    var rows: [String?]
    var stated: String
    var statedFirst: String
  }

  /// Storefront, tester, erased
  private static let users = [
    Case(id: "no tester any more", rows: ["CHN,true,", "CHN,false,", nil], stated: "CHN false -", statedFirst: "CHN true -"),
    Case(id: "a tester now", rows: ["CHN,false,", "CHN,true,", nil], stated: "CHN true -", statedFirst: "CHN false -"),
    Case(id: "two values at one clock", rows: ["CHN,true,", "CHN,false,", "CHN,true,"], stated: "CHN true -", statedFirst: "CHN true -"),
    Case(id: "the repeat beside it", rows: ["CHN,true,", "CHN,true,", "CHN,false,"], stated: "CHN true -", statedFirst: "CHN true -"),
    Case(id: "moved to what sorts before", rows: ["USA,false,", "CHN,false,", nil], stated: "CHN false -", statedFirst: "USA false -"),
    Case(
      id: "erased for good", rows: ["CHN,false,2026-05-10T00:00:00Z", "CHN,false,", nil], stated: "CHN false erased",
      statedFirst: "CHN false erased"),
    Case(id: "never stated again", rows: ["CHN,true,", nil, nil], stated: "CHN true -", statedFirst: "CHN true -"),
  ]
  /// Shareable, price
  private static let products = [
    Case(id: "corrected.downwards", rows: ["false,,CNY,6000", "false,,CNY,5000", nil], stated: "false 5000", statedFirst: "false 6000"),
    Case(id: "not.shareable.now", rows: ["true,,CNY,6000", "false,,CNY,6000", nil], stated: "false 6000", statedFirst: "true 6000"),
    Case(id: "two.prices", rows: ["true,,CNY,9000", "true,,CNY,5000", "true,,CNY,5500"], stated: "true 5500", statedFirst: "true 9000"),
    Case(
      id: "the.old.price.too", rows: ["true,,CNY,6000", "true,,CNY,6000", "true,,CNY,5000"], stated: "true 6000", statedFirst: "true 6000"),
  ]

  private static func text(_ cases: [Case], file: Int, header: String, prefix: (Case) -> String) -> String {
    ([header] + cases.compactMap { test in test.rows[file].map { prefix(test) + $0 } }).joined(separator: "\n") + "\n"
  }

  private static func read(_ place: Int, into scenario: Scenario, asOf: String? = nil) async throws -> (users: Tally, catalogue: Tally) {
    let file = files[place]
    let users = text(users, file: place, header: "user_id,home_storefront,is_tester,erased_at") { "\($0.id)," }
    let header = "bundle_id,product_id,type,family_shareable,storefront,currency,price_milliunits"
    let catalogue = text(products, file: place, header: header) { "com.acme.reader,\($0.id),non_consumable," }
    return (
      try await scenario.ingest(.users, users, name: "users-\(file.name)", asOf: asOf ?? file.asOf),
      try await scenario.ingest(.catalogue, catalogue, name: "catalogue-\(file.name)", asOf: asOf ?? file.asOf)
    )
  }

  private static func stated(_ scenario: Scenario, at clock: String) async throws -> [String: String] {
    let query = """
      select user_id, concat_ws(' ', home_storefront, is_tester::text, case when erased_at is null then '-' else 'erased' end)
      from payrecon.users_at('\(clock)')
      union all
      select products.product_id, concat_ws(' ', is_family_shareable::text, prices.price_milliunits)
      from payrecon.products_at('\(clock)') as products
      inner join payrecon.catalogue_prices_at('\(clock)') as prices on prices.product_id = products.product_id
      """
    let rows = try await scenario.query(query, gives: .text, .text)
    return Dictionary(rows) { "\($0), \($1)" }
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 1, 0]]) func laterClockCounts(_ order: [Int]) async throws {
    let scenario = try await Scenario()
    var tallies: [Int: (users: Tally, catalogue: Tally)] = [:]
    for place in order {
      // A file ingested after its clock was decided becomes known later, but is not a newer version.
      if place == order.last { try await scenario.decide(asOf: Self.decided) }
      tallies[place] = try await Self.read(place, into: scenario)
    }
    let cases = Self.users + Self.products
    #expect(try await Self.stated(scenario, at: Self.clock) == Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.stated) }))
    // The erasure that arrives last became known after the decision, although its file is the oldest.
    if order.last == 0 { #expect(try await Self.stated(scenario, at: Self.decided)["erased for good"] == "CHN false -") }
    // A file with known bytes changes nothing, however late it is ingested.
    _ = try await Self.read(0, into: scenario, asOf: Self.clock)
    #expect(try await Self.stated(scenario, at: Self.clock) == Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.stated) }))
    for tally in tallies.values.flatMap({ [$0.users, $0.catalogue] }) {
      #expect(tally.input == tally.accepted + tally.repeated && tally.repeated >= 0)
    }
    if order == [0, 1, 2] {
      let first = try await Self.stated(scenario, at: Self.files[0].asOf)
      #expect(first == Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.statedFirst) }))
      #expect(tallies[1]?.users.accepted == 4 && tallies[1]?.users.repeated == 2)
      // Two prices and one product changed.
      #expect(tallies[1]?.catalogue.accepted == 3 && tallies[1]?.catalogue.repeated == 1)
    }
    // Ingested again by mistake, it is neither news nor a correction.
    for place in order {
      let again = try await Self.read(place, into: scenario)
      #expect(again.users.accepted == 0 && again.catalogue.accepted == 0)
    }
    #expect(try await Self.stated(scenario, at: Self.clock) == Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0.stated) }))
  }

  /// Files of one product after another, and how many of their rows state a new product, type or price.
  private static let catalogues: [(rows: [String], accepted: Int)] = [
    // Products with a second price, without storefront, without currency, and without price.
    (
      [
        "a,consumable,CHN,CNY,6000,2026-01-01T00:00:00Z", "a,consumable,CHN,CNY,7000,2026-05-02T10:00:00Z", "a,consumable,USA,USD,990,",
        "b,consumable,,CNY,6000,", "c,consumable,CHN,,6000,", "d,consumable,CHN,CNY,,",
      ], 6
    ),
    (["e,consumable,CHN,CNY,6000,", "e,consumable,CHN,CNY,6000,"], 1),
    (["a,consumable,HKG,HKD,6800,"], 1),
    (["b,non_consumable,,CNY,6000,", "a,consumable,USA,USD,990,"], 1),
    // The price of one row and the type of the other count.
    (["f,consumable,CHN,CNY,6000,", "f,non_consumable,CHN,CNY,,"], 2),
    (["g,consumable,CHN,CNY,9000,", "g,consumable,CHN,CNY,5000,"], 1),
    (["g,consumable,CHN,CNY,9000,", "c,consumable,CHN,,6000,"], 0),
  ]

  @Test func rowsWithAnythingNewAreAccepted() async throws {
    let scenario = try await Scenario()
    for (place, file) in Self.catalogues.enumerated() {
      let header = "bundle_id,product_id,type,storefront,currency,price_milliunits,valid_from"
      let text = ([header] + file.rows.map { "com.acme.reader,\($0)" }).joined(separator: "\n") + "\n"
      let tally = try await scenario.ingest(.catalogue, text, name: "catalogue-\(place)", asOf: Self.clock)
      #expect(tally.accepted == file.accepted && tally.repeated == file.rows.count - file.accepted, "\(file.rows)")
    }
  }
}
