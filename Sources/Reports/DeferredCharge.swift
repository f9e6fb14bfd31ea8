internal import Domain
internal import JobCore
internal import Postgres

/// The facts about the money of charges with equal schedules.
struct DeferredCharge {
  /// A day in the app's time zone, and the storefront's fiscal day. Both count from 1970-01-01.
  struct Days {
    var app, fiscal: Int

    /// - Parameter calendar: 0 for the days of the app; 1 for the fiscal days of the storefront.
    subscript(calendar: Int) -> Int { calendar == 0 ? app : fiscal }
  }

  /// A fact, and the last complete days when it became known.
  private typealias Dated<Fact> = (fact: Fact, known: Days)

  let bundleID, productID, type, storefront, currency, state: String
  /// Milliunits.
  private let total: Int64
  private let isAfterOneYear: Bool
  private let clock, booked: Days
  private let known: Days
  /// First day of the term, and first day after it; nil if the charge is earned on one day.
  private let term: (from: Days, to: Days)?
  private let delivery, upgrade: Dated<Days>?
  private let extensions: [(signed: Days, until: Days, known: Days)]
  private let refunds: [Dated<(day: Days, amount: Int64)>]
  private let terms: [Dated<(from: Days, to: Days)>]
  private let proved: [Dated<(milliunits: Int64, basis: String)>]

  /// Parses columns of `scheduled_charges.sql`.
  ///
  /// - Parameters:
  ///   - columns: the columns from the app's bundle id to the proceeds.
  ///   - days: days of the instants of the columns after these.
  ///   - day: returns the days of an instant in microseconds since 1970.
  ///   - knownDay: returns the last complete days when a fact became known, by the same instants.
  init(
    _ columns: inout CopyRow, _ days: [Days?], clock: Days, day: (Int64) -> Days, knownDay: (Int64) -> Days
  ) throws {
    self.clock = clock
    (bundleID, productID, type) = try (columns.string(), columns.string(), columns.string())
    (storefront, currency, state) = try (columns.string(), columns.string(), columns.string())
    (total, isAfterOneYear) = try (columns.int8(), columns.bool())
    guard days.count == 8, let known = days[0], let booked = days[1] else { throw Self.unreadable("days") }
    (self.known, self.booked) = (known, booked)
    term = days[2].flatMap { from in days[3].map { (from, $0) } }
    delivery = days[4].flatMap { at in days[5].map { (at, $0) } }
    upgrade = days[6].flatMap { at in days[7].map { (at, $0) } }
    /// Parses facts of several parts each, separated by commas.
    func list<Fact>(_ count: Int, _ fact: ([Substring]) throws -> Fact) throws -> [Fact] {
      try (columns.optionalString() ?? "").split(separator: " ").map { text in
        let parts = text.split(separator: ",")
        guard parts.count == count else { throw Self.unreadable(text) }
        return try fact(parts)
      }
    }
    func number(_ text: Substring) throws -> Int64 {
      guard let number = Int64(text) else { throw Self.unreadable(text) }
      return number
    }
    extensions = try list(3) { try (day(number($0[0])), day(number($0[1])), knownDay(number($0[2]))) }
    refunds = try list(3) { try ((day(number($0[0])), number($0[2])), knownDay(number($0[1]))) }
    terms = try list(3) { try ((day(number($0[0])), day(number($0[1]))), knownDay(number($0[2]))) }
    let share = isAfterOneYear ? 2 : 1
    proved = try list(4) { try ((number($0[share]), String($0[3])), knownDay(number($0[0]))) }
  }

  private static func unreadable(_ text: some StringProtocol) -> JobError {
    JobError("could not read \"\(text)\" among the facts of a charge")
  }

  /// Adds up all charges known at the clock, in constant memory.
  ///
  /// - Parameter add: receives the facts that charges share, and the number of these charges.
  static func sum(
    in calendars: [RevenueLedger.Calendar], by policies: BookPolicies, files: SQLFiles, tx: inout DatabaseTransaction,
    _ add: (DeferredCharge, Int) throws -> Void
  ) throws {
    var reader = try ScheduleReader<Void>(calendars, policies, files: files, tx: &tx)
    try tx.copyRows(files(SchedulesSQL.facts)) { row in
      _ = try reader.group(of: &row, work: { _ in }, total: { try add($0.charge, $0.count) })
    }
    try reader.end { try add($0.charge, $0.count) }
  }

  /// The calendars of the report: months by the days of each app, and Apple's periods by the fiscal days of each storefront.
  static func calendars(files: SQLFiles, tx: inout DatabaseTransaction) throws -> [RevenueLedger.Calendar] {
    var fiscal = RevenueLedger.Calendar(scope: "fiscal")
    var next = Int.min
    for period in try ReportTable.read(ReportsSQL.deferredPeriods, files: files, tx: &tx).records {
      try fiscal.add(period.text("fiscal_period"), from: Int(period.int("start_day")))
      next = try Int(period.int("end_day")) + 1
    }
    // Apple's calendar after these years is not known.
    fiscal.add("", from: next)
    return [.months, fiscal]
  }

  /// How the money is earned: `day` for equal parts over a term, else `point_in_time`.
  var method: String { term != nil || terms.contains { $0.fact.from.app < $0.fact.to.app } ? "day" : "point_in_time" }

  /// Returns the last complete day of a calendar at the clock.
  func through(_ calendar: Int) -> Int { clock[calendar] - 1 }

  /// The schedules of a charge on each basis, in the order in which they became known.
  typealias Versions = PerBasis<[RevenueFacts.Version]>

  /// Returns the schedules by the days of one calendar.
  func versions(in calendar: Int, by policies: BookPolicies) -> Versions {
    let facts = facts(in: calendar)
    let bases = facts.bases(
      estimates: policies.estimates { rates in
        rates.estimate(
          price: facts.total, unit: facts.unit, storefront: storefront, day: booked.fiscal, isAfterOneYear: isAfterOneYear)
      },
      proved: proved.map { RevenueFacts.Known($0.fact.milliunits, knownOn: $0.known[calendar]) })
    return PerBasis { bases[$0].versions }
  }

  /// Where the proceeds are known from: `actual` or `cell_average` of a proved cell, else `estimate`.
  var proceedsBasis: String { proved.last?.fact.basis ?? "estimate" }

  func facts(in calendar: Int) -> RevenueFacts {
    func known<Fact>(_ fact: Fact, _ days: Days) -> RevenueFacts.Known<Fact> { .init(fact, knownOn: days[calendar]) }
    var facts = RevenueFacts(
      total: total, unit: Domain.Money.unit(currency: currency), bookedOn: known(booked[calendar], self.known),
      termStart: (term?.from ?? booked)[calendar], termEnd: term?.to[calendar])
    facts.deliveredOn = delivery.map { known($0.fact[calendar], $0.known) }
    facts.upgradeDay = upgrade.map { known($0.fact[calendar], $0.known) }
    facts.refunds = refunds.map { known(.init(day: $0.fact.day[calendar], amount: $0.fact.amount), $0.known) }
    facts.extensions = extensions.map { known(.init(day: $0.signed[calendar], termEnd: $0.until[calendar]), $0.known) }
    facts.terms = terms.map { term in
      let start = term.fact.from[calendar]
      return known(start..<max(start + 1, term.fact.to[calendar]), term.known)
    }
    return facts
  }
}

extension RevenueSettings {
  /// The rates of the settings, of which those of the programme count.
  var proceedsRates: ProceedsRates {
    func rates(_ list: [FinanceSettings.Rate], of programme: String? = nil) -> [ProceedsRates.Rate] {
      list.filter { $0.programme == programme }.compactMap { rate in
        guard let from = CivilDate(rate.validFrom) else { return nil }
        return .init(storefront: rate.storefront, from: from.daysSince1970, basisPoints: rate.basisPoints)
      }
    }
    return ProceedsRates(
      taxes: rates(taxes), commissions: rates(commissions, of: programme), afterOneYear: rates(commissions, of: "rate_after_one_year"))
  }
}
