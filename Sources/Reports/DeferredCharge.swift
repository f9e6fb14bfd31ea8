internal import Domain
internal import JobCore
internal import Postgres

/// A charge with the facts about its money, as `deferred_charges.sql` reads them.
struct DeferredCharge {
  let record: ReportRecord

  /// Streams all charges known at the clock, in constant memory.
  static func stream(files: SQLFiles, tx: inout DatabaseTransaction, _ body: (DeferredCharge) throws -> Void) throws {
    var index: [String: Int] = [:]
    _ = try tx.stream(
      files(ReportsSQL.deferredCharges),
      columns: { columns in index = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) }) },
      row: { row in try body(DeferredCharge(record: ReportRecord(index: index, cells: row.texts))) })
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

  /// Returns the last complete day in a column of instants.
  ///
  /// - Parameter calendar: 0 for the days of the app; 1 for the fiscal days of the storefront.
  func lastComplete(_ column: String, in calendar: Int) throws -> Int { try day(record.text(column), calendar) - 1 }

  /// The schedules of a charge on each basis, by the days of one calendar.
  struct Money {
    var versions: PerBasis<[RevenueFacts.Version]>
    /// The day on which the books of the app began.
    var begunOn: Int
    /// The last complete day.
    var through: Int
  }

  func money(in calendar: Int, by policies: BookPolicies) throws -> Money {
    let facts = try facts(in: calendar)
    let (storefront, day) = try (record.text("storefront"), self.day(record.text("booked_days"), 1))
    let isAfterOneYear = try record.text("is_after_one_year") == "1"
    let bases = try facts.bases(
      estimates: policies.estimates { rates in
        rates.estimate(price: facts.total, unit: facts.unit, storefront: storefront, day: day, isAfterOneYear: isAfterOneYear)
      },
      proved: list("proved") { try RevenueFacts.Known(Int64($0[1]) ?? 0, knownOn: self.day($0[0], calendar) - 1) })
    return try Money(
      versions: PerBasis { bases[$0].versions }, begunOn: lastComplete("begun_days", in: calendar),
      through: lastComplete("clock_days", in: calendar))
  }

  /// Where the proceeds are known from: `actual` or `cell_average` of a proved cell, else `estimate`.
  var proceedsBasis: String {
    get throws { try list("proved") { String($0.last ?? "") }.last ?? "estimate" }
  }

  func facts(in calendar: Int) throws -> RevenueFacts {
    func day(_ pair: some StringProtocol) throws -> Int { try self.day(pair, calendar) }
    var facts = try RevenueFacts(
      total: Int64(clamping: record.int("total_milliunits")), unit: Int64(clamping: record.int("unit_milliunits")),
      bookedOn: .init(day(record.text("booked_days")), knownOn: lastComplete("known_days", in: calendar)),
      termStart: day(record.text("start_days")), termEnd: record["end_days"].map { try day($0) })
    facts.deliveredOn = try list("delivery") { try RevenueFacts.Known(day($0[0]), knownOn: day($0[1]) - 1) }.first
    facts.upgradeDay = try list("upgrade") { try RevenueFacts.Known(day($0[0]), knownOn: day($0[1]) - 1) }.first
    facts.refunds = try list("refunds") { step in
      try RevenueFacts.Known(RevenueSchedule.Refund(day: day(step[0]), amount: Int64(step[2]) ?? 0), knownOn: day(step[1]) - 1)
    }
    facts.extensions = try list("extensions") { step in
      try RevenueFacts.Known(RevenueSchedule.Extension(day: day(step[0]), termEnd: day(step[1])), knownOn: day(step[2]) - 1)
    }
    facts.terms = try list("terms") { step in
      let start = try day(step[0])
      return try RevenueFacts.Known(start..<max(start + 1, day(step[1])), knownOn: day(step[2]) - 1)
    }
    return facts
  }

  /// Parses `20571/20570,20572/20572,6000 …`: facts of several parts each.
  private func list<Fact>(_ column: String, _ fact: ([Substring]) throws -> Fact) throws -> [Fact] {
    try (record[column] ?? "").split(separator: " ").map { try fact($0.split(separator: ",")) }
  }

  /// Parses `20571/20570`, the day in each calendar, and returns that of one calendar.
  private func day(_ pair: some StringProtocol, _ calendar: Int) throws -> Int {
    let days = pair.split(separator: "/").compactMap { Int($0) }
    guard days.count == 2 else { throw JobError("could not read the days \"\(pair)\" of charge \"\(try record.text("charge_id"))\"") }
    return days[calendar]
  }
}

extension FinanceSettings {
  /// The rates of the settings, of which those of the programme count.
  var proceedsRates: ProceedsRates {
    func rates(_ list: [Rate], of programme: String? = nil) -> [ProceedsRates.Rate] {
      list.filter { $0.programme == programme }.compactMap { rate in
        guard let from = Timestamp(rfc3339: "\(rate.validFrom)T00:00:00Z") else { return nil }
        return .init(
          storefront: rate.storefront, from: Int(from.microseconds / 86_400_000_000), basisPoints: rate.basisPoints)
      }
    }
    return ProceedsRates(
      taxes: rates(taxes), commissions: rates(commissions, of: programme), afterOneYear: rates(commissions, of: "rate_after_one_year"))
  }
}
