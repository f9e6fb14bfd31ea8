/// Straight lines by day and their cuts. No amount is ever lost or earned twice.
@Suite struct RevenueScheduleTests {
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int { CivilDate(year: year, month: month, day: day).daysSince1970 }
  private static func year(
    _ total: Int64, refund: (day: Int, amount: Int64)? = nil, upgradeDay: Int? = nil, extensions: [(day: Int, end: Int)] = []
  ) -> RevenueSchedule {
    schedule(total, from: day(2026, 1, 1), until: day(2027, 1, 1), refund: refund, upgradeDay: upgradeDay, extensions: extensions)
  }
  /// Returns a schedule of 30 days from day 100, at 1.00 per day.
  private static func month(_ extensions: [(day: Int, end: Int)], refund: (day: Int, amount: Int64)? = nil) -> RevenueSchedule {
    schedule(30_000, from: 100, until: 130, refund: refund, extensions: extensions)
  }
  private static func schedule(
    _ total: Int64, unit: Int64 = 10, bookedOn: Int? = nil, from start: Int, until end: Int, refund: (day: Int, amount: Int64)? = nil,
    upgradeDay: Int? = nil, extensions: [(day: Int, end: Int)] = []
  ) -> RevenueSchedule {
    RevenueSchedule(
      total: total, unit: unit, bookedOn: bookedOn ?? start, termStart: start, termEnd: end,
      refunds: refund.map { [RevenueSchedule.Refund(day: $0.day, amount: $0.amount)] } ?? [], upgradeDay: upgradeDay,
      extensions: extensions.map { RevenueSchedule.Extension(day: $0.day, termEnd: $0.end) })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var schedule: RevenueSchedule
    var through: Int
    /// recognised, reversed, refund cut, refund of cut, upgrade cut, remaining
    var flows: [Int64]

    init(_ name: String, _ schedule: RevenueSchedule, through: Int, flows: [Int64]) {
      (testDescription, self.schedule, self.through, self.flows) = (name, schedule, through, flows)
    }
  }

  static let cases: [Case] = [
    Case("a day of a year", year(36_500), through: day(2026, 1, 1), flows: [100, 0, 0, 0, 0, 36_400]),
    Case("a year that does not divide, half way", year(89_990), through: day(2026, 7, 1), flows: [44_870, 0, 0, 0, 0, 45_120]),
    Case("its last day has the rest", year(89_990), through: day(2026, 12, 31), flows: [89_990, 0, 0, 0, 0, 0]),
    Case("before it is booked", year(89_990), through: day(2025, 12, 31), flows: [0, 0, 0, 0, 0, 0]),
    // 37.5 % of 365.00 is 136.88; 73 days had earned 73.00 and keep 45.62.
    Case(
      "trap 5: 37.5 % of a year given back on its 74th day", year(365_000, refund: (day(2026, 3, 15), 136_880)), through: day(2026, 3, 15),
      flows: [73_620, 27_380, 109_500, 0, 0, 181_880]),
    Case(
      "trap 5 at the end: exact to the unit", year(365_000, refund: (day(2026, 3, 15), 136_880)), through: day(2027, 2, 1),
      flows: [255_500, 27_380, 109_500, 0, 0, 0]),
    Case(
      "all of it given back", year(365_000, refund: (day(2026, 3, 15), 365_000)), through: day(2026, 3, 15),
      flows: [73_000, 73_000, 292_000, 0, 0, 0]),
    Case(
      "given back before the term begins", schedule(300_000, unit: 1000, bookedOn: 10, from: 12, until: 42, refund: (5, 300_000)),
      through: 10, flows: [0, 0, 300_000, 0, 0, 0]),
    Case(
      "given back after the term", year(365_000, refund: (day(2027, 2, 1), 100_000)), through: day(2027, 2, 1),
      flows: [365_000, 100_000, 0, 0, 0, 0]),
    Case(
      "upgraded half way", year(365_000, upgradeDay: day(2026, 7, 2)), through: day(2026, 12, 31), flows: [182_000, 0, 0, 0, 183_000, 0]),
    Case(
      "upgraded, then given back", year(365_000, refund: (day(2026, 8, 1), 365_000), upgradeDay: day(2026, 7, 2)),
      through: day(2026, 12, 31), flows: [182_000, 182_000, 0, 183_000, 183_000, 0]),
    Case(
      "a part given back, then upgraded", year(365_000, refund: (day(2026, 3, 15), 136_880), upgradeDay: day(2026, 7, 2)),
      through: day(2026, 12, 31), flows: [141_120, 27_380, 109_500, 0, 114_380, 0]),
    Case(
      "a leap day is a day", schedule(29_000, from: day(2028, 2, 1), until: day(2028, 3, 1)), through: day(2028, 2, 28),
      flows: [28_000, 0, 0, 0, 0, 1_000]),
    Case("yen have no parts", schedule(500_000, unit: 1000, from: 0, until: 30), through: 0, flows: [16_000, 0, 0, 0, 0, 484_000]),
    Case("dinars have three", schedule(1_001, unit: 1, from: 0, until: 30), through: 0, flows: [33, 0, 0, 0, 0, 968]),
    Case(
      "thousandths that the currency does not have", schedule(10_991, from: 0, until: 2), through: 0, flows: [5_495, 0, 0, 0, 0, 5_496]),
    Case("a term of hours is a day", schedule(990, from: 0, until: 0), through: 0, flows: [990, 0, 0, 0, 0, 0]),
    Case("before its extension is known", month([(110, 150)]), through: 109, flows: [10_000, 0, 0, 0, 0, 20_000]),
    Case("extended: the rest is spread from that day on", month([(110, 150)]), through: 110, flows: [10_500, 0, 0, 0, 0, 19_500]),
    Case("extended, on the last day it was sold for", month([(110, 150)]), through: 129, flows: [20_000, 0, 0, 0, 0, 10_000]),
    Case("extended, its last day", month([(110, 150)]), through: 149, flows: [30_000, 0, 0, 0, 0, 0]),
    Case("extended by what does not divide", month([(110, 137)]), through: 110, flows: [10_740, 0, 0, 0, 0, 19_260]),
    Case(
      "extended twice, and stated again in between", month([(110, 150), (115, 150), (130, 170), (140, 160)]), through: 139,
      flows: [22_500, 0, 0, 0, 0, 7_500]),
    Case("extended before the term", month([(90, 160)]), through: 109, flows: [5_000, 0, 0, 0, 0, 25_000]),
    Case("extended when all of it was earned", month([(131, 150)]), through: 135, flows: [30_000, 0, 0, 0, 0, 0]),
    Case(
      "half given back, then extended", month([(120, 140)], refund: (110, 15_000)), through: 120,
      flows: [15_250, 5_000, 10_000, 0, 0, 4_750]),
    Case(
      "extended, then half given back", month([(110, 150)], refund: (120, 15_000)), through: 120,
      flows: [15_250, 7_500, 7_500, 0, 0, 7_250]),
    Case(
      "extended, then upgraded", year(365_000, upgradeDay: day(2026, 7, 2), extensions: [(day(2026, 4, 11), day(2027, 1, 27))]),
      through: day(2026, 12, 31), flows: [174_670, 0, 0, 0, 190_330, 0]),
    Case("nothing", year(0, refund: (0, 10)), through: day(2026, 3, 1), flows: [0, 0, 0, 0, 0, 0]),
  ]

  @Test(arguments: cases) func schedulesHaveTheirAmounts(_ test: Case) {
    let flow = test.schedule.flow(through: test.through)
    let flows = [flow.recognised, flow.reversed, flow.refundCut, flow.refundOfCut, flow.upgradeCut].map { Int64($0) }
    #expect(flows + [test.schedule.remaining(after: test.through)] == test.flows)
  }

  @Test func `random schedules: each day earns 0 or more, the remainder equals the amounts not yet earned, and every schedule ends`() {
    var random = Dice(seed: 20_260_511)
    for _ in 0..<400 {
      let unit: Int64 = [1, 10, 1000][Int.random(in: 0...2, using: &random)]
      let total = Int64.random(in: 0...2_000, using: &random) * unit + (Bool.random(using: &random) ? 0 : 3)
      let start = Int.random(in: -2...3, using: &random)
      let refunds = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: -5...50, using: &random) }.sorted().map { day in
        RevenueSchedule.Refund(day: day, amount: Bool.random(using: &random) ? 0 : Int64.random(in: 0...max(total, 1), using: &random))
      }
      let schedule = RevenueSchedule(
        total: total, unit: unit, bookedOn: 0, termStart: start, termEnd: start + Int.random(in: 0...40, using: &random), refunds: refunds,
        upgradeDay: Bool.random(using: &random) ? Int.random(in: -3...45, using: &random) : nil,
        extensions: (0..<Int.random(in: 0...3, using: &random)).map { _ in
          RevenueSchedule.Extension(day: Int.random(in: -5...60, using: &random), termEnd: Int.random(in: -5...80, using: &random))
        })
      var before = RevenueFlow()
      for day in -1...schedule.lastDay {
        let flow = schedule.flow(through: day)
        let step = flow - before
        let parts = [
          step.booked, step.recognised, step.reversed, step.refundCut, step.refundOfCut, step.earnedAgain, step.deferredAgain,
          step.againOfCut, step.upgradeCut,
        ]
        #expect(parts.filter { $0 < 0 } == [], "\(schedule) on \(day)")
        #expect(flow.deferred == Int128(schedule.remaining(after: day)), "\(schedule) on \(day)")
        before = flow
      }
      #expect(before.deferred == 0, "\(schedule)")
      let chargedAgain = before.earnedAgain + before.deferredAgain + before.againOfCut
      let givenBack = before.reversed + before.refundCut + before.refundOfCut
      #expect(givenBack - chargedAgain == Int128(schedule.refunds.last?.amount ?? 0), "\(schedule)")
      #expect(before == schedule.flow(through: schedule.lastDay + 100))
    }
  }

  /// On the day before a reversal, on its day, and at the end: recognised, reversed, refund cut, earned again, deferred again,
  /// upgrade cut.
  @Test(
    arguments: [
      (
        "all of it", 30_000, nil, [10_000, 10_000, 20_000, 0, 0, 0], [11_000, 10_000, 20_000, 20_000, 10_000, 0],
        [20_000, 10_000, 20_000, 20_000, 10_000, 0]
      ),
      (
        "half of it", 15_000, nil, [15_000, 5_000, 10_000, 0, 0, 0], [16_000, 5_000, 10_000, 10_000, 5_000, 0],
        [25_000, 5_000, 10_000, 10_000, 5_000, 0]
      ),
      (
        "upgraded after it", 30_000, 125, [10_000, 10_000, 20_000, 0, 0, 0], [11_000, 10_000, 20_000, 20_000, 10_000, 0],
        [15_000, 10_000, 20_000, 20_000, 10_000, 5_000]
      ),
    ] as [(String, Int64, Int?, [Int128], [Int128], [Int128])])
  func aReversalReinstatesOnItsOwnDay(
    _ name: String, _ amount: Int64, _ upgradeDay: Int?, _ before: [Int128], _ after: [Int128], _ end: [Int128]
  ) {
    let schedule = RevenueSchedule(
      total: 30_000, unit: 10, bookedOn: 100, termStart: 100, termEnd: 130,
      refunds: [.init(day: 110, amount: amount), .init(day: 120, amount: 0)], upgradeDay: upgradeDay)
    let flows = [119, 120, 140].map { day in
      let flow = schedule.flow(through: day)
      return [flow.recognised, flow.reversed, flow.refundCut, flow.earnedAgain, flow.deferredAgain, flow.upgradeCut]
    }
    #expect(flows == [before, after, end], "\(name)")
  }
}

/// Late facts are booked in the period in which they became known.
@Suite struct RevenueLedgerTests {
  private static func day(_ month: Int, _ day: Int) -> Int { CivilDate(year: 2026, month: month, day: day).daysSince1970 }

  /// Returns a charge of 30 days at 1.00 from April 16.
  private static func charge(knownOn: Int, _ change: (inout RevenueFacts) -> Void = { _ in }) -> RevenueFacts {
    var facts = RevenueFacts(
      total: 30_000, unit: 10, bookedOn: .init(day(4, 16), knownOn: knownOn), termStart: day(4, 16), termEnd: day(5, 16))
    change(&facts)
    return facts
  }

  /// Returns the ledger of a number of equal charges.
  private static func ledger(_ versions: [RevenueFacts.Version], through: Int, count: Int = 1) -> RevenueLedger {
    var ledger = RevenueLedger(calendars: [.months])
    ledger.add(versions, calendar: 0, currency: "CNY", through: through, count: count)
    return ledger
  }

  private static func rows(_ facts: RevenueFacts, through: Int) -> [String] {
    let ledger = ledger(facts.versions, through: through)
    let calendar = ledger.calendars[0]
    return ledger.rolls.sorted { ($0.key.period, $0.key.restates ?? .max) < ($1.key.period, $1.key.restates ?? .max) }.map { place, roll in
      let (flow, restated) = (roll.flow, place.restates.map { " of \(calendar.name($0))" } ?? "")
      let figures = [flow.booked, flow.recognised, flow.refundCut, flow.reversed, flow.deferredAgain, flow.earnedAgain, roll.remaining]
      return "\(calendar.name(place.period))\(restated): " + figures.map { "\($0 / 1000)" }.joined(separator: " ")
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var facts: RevenueFacts
    var through = RevenueLedgerTests.day(6, 20)
    /// booked, recognised, cut, reversed, deferred again, earned again, left
    var flows: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "nothing late", facts: charge(knownOn: day(4, 15)), flows: ["2026-04: 30 15 0 0 0 0 15", "2026-05: 0 15 0 0 0 0 0"]),
    Case(
      testDescription: "known on the day after the month", facts: charge(knownOn: day(4, 30)),
      flows: ["2026-04: 30 15 0 0 0 0 15", "2026-05: 0 15 0 0 0 0 0"]),
    Case(
      testDescription: "a charge known in June", facts: charge(knownOn: day(6, 3)),
      flows: ["2026-06 of 2026-04: 30 15 0 0 0 0 0", "2026-06 of 2026-05: 0 15 0 0 0 0 0", "2026-06: 0 0 0 0 0 0 0"]),
    Case(
      testDescription: "history", facts: charge(knownOn: RevenueFacts.history),
      flows: ["2026-04: 30 15 0 0 0 0 15", "2026-05: 0 15 0 0 0 0 0"]),
    Case(
      testDescription: "a refund of April known in May",
      facts: charge(knownOn: day(4, 16)) { $0.refunds = [.init(.init(day: day(4, 26), amount: 30_000), knownOn: day(5, 5))] },
      flows: ["2026-04: 30 15 0 0 0 0 15", "2026-05 of 2026-04: 0 -5 20 10 0 0 0", "2026-05: 0 0 0 0 0 0 0"]),
    Case(
      testDescription: "a refund of April, reversed in May",
      facts: charge(knownOn: day(4, 16)) {
        $0.refunds = [
          .init(.init(day: day(4, 26), amount: 30_000), knownOn: day(4, 26)), .init(.init(day: day(5, 6), amount: 0), knownOn: day(5, 6)),
        ]
      },
      flows: ["2026-04: 30 10 20 10 0 0 0", "2026-05: 0 10 0 0 10 20 0"]),
  ]

  @Test(arguments: cases) func lateFactsAreBookedInTheOpenPeriod(_ test: Case) {
    #expect(Self.rows(test.facts, through: test.through) == test.flows)
  }

  @Test func `later facts never change a closed period`() {
    for test in Self.cases {
      let before = test.facts.versions.filter { $0.knownOn <= Self.day(4, 30) }
      guard let first = before.last?.schedule else { continue }
      let stated = RevenueFacts.Version(knownOn: before[0].knownOn, schedule: first)
      let then = Self.ledger([stated], through: Self.day(4, 30))
      let now = Self.ledger(test.facts.versions, through: test.through)
      for (place, roll) in then.rolls { #expect(now.rolls[place]?.flow == roll.flow, "\(test)") }
    }
  }

  /// A late charge that is refunded and charged again, each on another day of one month.
  private static let mixed = charge(knownOn: day(6, 3)) {
    $0.refunds = [
      .init(.init(day: day(4, 26), amount: 30_000), knownOn: day(6, 5)), .init(.init(day: day(5, 6), amount: 0), knownOn: day(6, 7)),
    ]
  }

  @Test func `charges with equal schedules are added at once as if one by one`() {
    for test in Self.cases + [Case(testDescription: "mixed", facts: Self.mixed, flows: [])] {
      let (versions, count) = (test.facts.versions, 3)
      let once = Self.ledger(versions, through: test.through, count: count)
      var singly = RevenueLedger(calendars: [.months])
      for _ in 0..<count { singly.add(versions, calendar: 0, currency: "CNY", through: test.through) }
      #expect(once.cells.count == singly.cells.count, "\(test)")
      for (place, roll) in singly.rolls {
        #expect(once.rolls[place]?.flow == roll.flow && once.rolls[place]?.bookedCount == roll.bookedCount, "\(test)")
        #expect(once.remaining(place) == singly.remaining(place), "\(test)")
      }
      for (cell, earned) in singly.cells {
        let other = once.cells[cell].map { [$0.recognised, $0.reversed, $0.earnedAgain, $0.toCome] }
        #expect(other == [earned.recognised, earned.reversed, earned.earnedAgain, earned.toCome], "\(test)")
      }
    }
  }

  @Test func correctionsByCauseAddUpToLateFacts() {
    var causes: [String: Set<RevenueCause>] = [:]
    for test in Self.cases + [Case(testDescription: "mixed", facts: Self.mixed, flows: [])] {
      let ledger = Self.ledger(test.facts.versions, through: test.through)
      var sums: [RevenueLedger.PeriodLine: RevenueFlow] = [:]
      for booking in ledger.calendars[0].bookings(of: test.facts.versions, through: test.through) {
        guard let restates = booking.restates, let cause = booking.cause else { continue }
        sums[.init(calendar: 0, currency: "CNY", period: booking.period, restates: restates), default: RevenueFlow()] += booking.flow
        causes[test.testDescription, default: []].insert(cause)
      }
      let late = ledger.rolls.filter { $0.key.restates != nil }
      for place in Set(sums.keys).union(late.keys) {
        #expect(sums[place] ?? RevenueFlow() == late[place]?.flow ?? RevenueFlow(), "\(test)")
      }
    }
    #expect(
      causes == [
        "a charge known in June": [.lateFact], "a refund of April known in May": [.refund], "mixed": [.lateFact, .refund, .reversal],
      ])
  }
}
