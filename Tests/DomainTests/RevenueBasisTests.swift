/// Estimates of net revenue and proceeds, their schedules, and the postings of the journal.
@Suite struct RevenueBasisTests {
  private static let rates = ProceedsRates(
    taxes: [.init(storefront: "DEU", from: 0, basisPoints: 1900), .init(storefront: "DEU", from: 100, basisPoints: 1600)],
    commissions: [
      .init(storefront: "CHN", from: 50, basisPoints: 2500), .init(storefront: nil, from: 0, basisPoints: 3000),
      .init(storefront: nil, from: 60, basisPoints: 2000),
    ], afterOneYear: [.init(storefront: nil, from: 0, basisPoints: 1500)])

  struct Estimate: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var price: Int64 = 11_900
    var unit: Int64 = 10
    var storefront = "DEU"
    var day = 10
    var isAfterOneYear = false
    var amounts: [Int64]
  }

  static let estimates = [
    Estimate(testDescription: "tax, then commission", amounts: [10_000, 7_000]),
    Estimate(testDescription: "a new tax rate", day: 100, amounts: [10_260, 8_210]),
    Estimate(testDescription: "no tax", storefront: "USA", amounts: [11_900, 8_330]),
    Estimate(testDescription: "a new commission", storefront: "USA", day: 60, amounts: [11_900, 9_520]),
    Estimate(
      testDescription: "a storefront's own rate goes before a newer one of all", storefront: "CHN", day: 60, amounts: [11_900, 8_930]),
    Estimate(testDescription: "a lower rate after one year", isAfterOneYear: true, amounts: [10_000, 8_500]),
    Estimate(testDescription: "whole yen, halves up", price: 5_000, unit: 1000, storefront: "USA", amounts: [5_000, 4_000]),
    Estimate(testDescription: "thousandths that the currency does not have", price: 1_001, storefront: "USA", amounts: [1_001, 701]),
  ]

  @Test(arguments: estimates) func estimate(_ test: Estimate) {
    let found = Self.rates.estimate(
      price: test.price, unit: test.unit, storefront: test.storefront, day: test.day, isAfterOneYear: test.isAfterOneYear)
    #expect([found.netOfTax, found.proceeds] == test.amounts)
  }

  /// Facts of a charge with every kind of fact, by a seed.
  private static func facts(_ seed: Int) -> RevenueFacts {
    var dice = Dice(seed: UInt64(seed))
    func next(_ range: ClosedRange<Int>) -> Int { dice.number(range) }
    let booked = next(20_500...20_560)
    var facts = RevenueFacts(
      total: Int64(next(1...40_000)), unit: [1, 10, 1000][next(0...2)], bookedOn: .init(booked, knownOn: booked + next(-1...40)),
      termStart: booked, termEnd: booked + next(1...120))
    func known() -> Int { booked + next(0...150) }
    if next(0...1) == 1 { facts.refunds = [.init(.init(day: known(), amount: Int64(next(1...40_000))), knownOn: known())] }
    if next(0...3) == 1 { facts.refunds.append(.init(.init(day: known() + 60, amount: 0), knownOn: known() + 60)) }
    if next(0...3) == 1 { facts.upgradeDay = .init(known(), knownOn: known()) }
    if next(0...3) == 1 { facts.extensions = [.init(.init(day: known(), termEnd: booked + next(100...200)), knownOn: known())] }
    return facts
  }

  /// The bookings of every basis add up to the ledger's rows and to what the schedules have left. Their postings add up to 0.
  @Test func bookingsAddUp() {
    let calendar = RevenueLedger.Calendar.months
    for seed in 1...400 {
      let facts = Self.facts(seed)
      let through = 20_800 + seed % 90
      let estimates = [(8, 5, Int.min), (7, 4, 20_580)].map { part in
        RevenueFacts.Known(
          ProceedsRates.Estimate(netOfTax: facts.total * part.0 / 10, proceeds: facts.total * part.1 / 10), knownOn: part.2)
      }
      let bases = facts.bases(estimates: estimates, proved: [.init(facts.total * 6 / 10, knownOn: 20_600)])
      var ledger = RevenueLedger(calendars: [calendar])
      ledger.add(facts.versions, calendar: 0, currency: "CNY", through: through)
      let rolled = ledger.rolls.values.reduce(RevenueFlow()) { $0 + $1.flow }
      let flows = PerBasis { basis in
        calendar.bookings(of: bases[basis].versions, through: through).reduce(RevenueFlow()) { $0 + $1.flow }
      }
      #expect(flows.gross == rolled, "\(seed)")
      for basis in RevenueBasis.allCases {
        let newest = bases[basis].versions.last?.schedule
        #expect(flows[basis].deferred == Int128(newest?.remaining(after: through) ?? 0), "\(seed) \(basis)")
      }
      for policy in RevenuePolicy.allCases {
        let postings = JournalPosting.postings(of: flows, policy: policy)
        #expect(postings.reduce(0) { $0 + $1.milliunits } == 0, "\(seed)")
        let deferred = postings.filter { $0.account == .deferredRevenue }.reduce(Int128(0)) { $0 + $1.milliunits }
        #expect(deferred == -flows[policy.basis].deferred, "\(seed)")
        if policy == .agent { #expect(postings.allSatisfy { ![.commission, .deferredCommission].contains($0.account) }) }
      }
    }
  }

  /// Other rates change what they became known after, as a policy. A proof changes the proceeds alone, in the month in which it became
  /// known, and a full refund takes all of each basis.
  @Test func newRatesAreAPolicyAndAProofIsATrueUp() {
    let april = CivilDate(year: 2026, month: 4, day: 16).daysSince1970
    var facts = RevenueFacts(
      total: 30_000, unit: 10, bookedOn: .init(april, knownOn: april), termStart: april, termEnd: april + 30)
    facts.refunds = [.init(.init(day: april + 50, amount: 30_000), knownOn: april + 50)]
    let estimates: [RevenueFacts.Known<ProceedsRates.Estimate>] = [
      .init(.init(netOfTax: 27_000, proceeds: 18_000), knownOn: .min),
      .init(.init(netOfTax: 24_000, proceeds: 15_000), knownOn: april + 16),
      // A rate that became known after the proof.
      .init(.init(netOfTax: 24_000, proceeds: 12_000), knownOn: april + 46),
    ]
    let bases = facts.bases(estimates: estimates, proved: [.init(21_000, knownOn: april + 45)])
    let calendar = RevenueLedger.Calendar.months
    let rows = [RevenueBasis.netOfTax, .proceeds, .estimated].map { basis in
      calendar.bookings(of: bases[basis].versions, through: april + 60).map { booking in
        let names = [
          calendar.name(booking.period), booking.entry.rawValue, booking.restates.map { calendar.name($0) }, booking.cause?.rawValue,
        ]
        return names.compactMap(\.self).joined(separator: " ")
          + " \(booking.flow.booked) \(booking.flow.recognised) \(booking.flow.reversed)"
      }
    }
    #expect(
      rows[0] == [
        "2026-04 booking 27000 13500 0", "2026-05 booking 0 12000 0", "2026-06 booking 0 0 24000",
        "2026-05 reversal 2026-04 policy -27000 -13500 0", "2026-05 rebooking 2026-04 policy 24000 12000 0",
      ])
    #expect(
      rows[1] == [
        "2026-04 booking 18000 9000 0", "2026-05 booking 0 10500 0", "2026-06 booking 0 0 21000",
        "2026-05 reversal 2026-04 policy -18000 -9000 0", "2026-05 rebooking 2026-04 policy 15000 7500 0",
        "2026-05 reversal 2026-04 true_up -15000 -7500 0", "2026-05 rebooking 2026-04 true_up 21000 10500 0",
      ])
    #expect(rows[2].last == "2026-05 reversal 2026-04 true_up -15000 -7500 0")
  }

  @Test func ratesConvertToTheSmallestUnit() throws {
    let rate = { (text: String) in ExchangeRates.Rate(currency: "CNY", from: "2026-01-01", text: text) }
    let rates = ExchangeRates(base: "USD", rates: [try #require(rate("0.1395"))])
    let found = try #require(rates.rate("CNY", on: "2026-01-31"))
    #expect([100_000, -100_000, 1_000, 0].map { rates.convert($0, at: found) } == [13_950, -13_950, 140, 0])
    #expect(rates.rate("CNY", on: "2025-12-31") == nil && rates.rate("EUR", on: "2026-01-31") == nil)
    #expect(rates.rate("USD", on: "2020-01-01").map { rates.convert(995, at: $0) } == 1_000)
    #expect(["", "0", "0.0", ".5", "1.", "-1", "1e3", "1.2.3", "12345678901", "0.12345678901"].allSatisfy { rate($0) == nil })
  }
}
