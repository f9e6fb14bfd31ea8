internal import Cryptography
internal import Domain
internal import JobCore
internal import Wording

/// The journal of one period: balanced lines by account and dimension, and the balances of the accounts.
struct Journal {
  /// The books and rules of a journal.
  struct Plan {
    var calendar: RevenueLedger.Calendar
    /// 0 for months of the apps' days; 1 for Apple's periods.
    var number: Int
    var period: Int
    var settings: JournalSettings
    var policies: BookPolicies
  }

  /// The subject of a line: everything except its amount.
  struct Key: Hashable {
    var entry: String
    var event: JournalEvent
    var restates: Int?
    var cause: RevenueCause?
    var app = ""
    var storefront = ""
    var product = ""
    var policy: RevenuePolicy?
    var currency: String
    var account: JournalAccount
  }

  private struct Balance: Hashable {
    var currency: String
    var account: JournalAccount
  }

  /// An amount in the base currency.
  struct Conversion {
    var milliunits: Int128
    var rate: ExchangeRates.Rate
  }

  /// A line of the journal: a debit if the amount is positive, a credit if it is negative.
  struct Line {
    var key: Key
    var milliunits: Int128
    var base: Conversion?
  }

  let plan: Plan
  private var amounts: [Key: Int128] = [:]
  private var openings: [Balance: Int128] = [:]
  /// Deferred money of the schedules at the end of the period, by currency.
  private var remaining: [String: Int128] = [:]
  /// The last complete day.
  private var through = Int.min

  static let revaluation = "revaluation"

  init(_ plan: Plan) { self.plan = plan }

  /// A journal without lines that has the same period and clock as this one.
  var emptied: Journal {
    var journal = Journal(plan)
    journal.through = through
    return journal
  }

  /// Returns the plan of a period by its name. A closed period keeps the accounts, dimensions and rates of its close.
  ///
  /// - Throws: `JobError` of usage if no calendar has the period.
  static func plan(
    _ period: String, _ calendars: [RevenueLedger.Calendar], _ settings: JournalSettings, _ policies: BookPolicies
  ) throws -> Plan {
    for (number, calendar) in calendars.enumerated() {
      if !period.isEmpty, let index = calendar.index(named: period) {
        return Plan(
          calendar: calendar, number: number, period: index, settings: policies.closedJournal(of: period) ?? settings, policies: policies)
      }
    }
    throw JobError(
      "could not find the period \"\(period)\"", hint: "Give a fiscal period such as 2026-P11, or a month such as 2026-08.",
      status: .usage)
  }

  /// - Parameter count: number of charges with these schedules.
  mutating func add(_ charge: DeferredCharge, _ versions: DeferredCharge.Versions, count: Int) {
    let day = charge.through(plan.number)
    through = max(through, day)
    let settings = plan.settings
    let (app, currency) = (charge.bundleID, charge.currency)
    let policies = plan.policies.policies(of: app).map { (period: plan.calendar.index(of: $0.knownOn), fact: $0.fact) }
    var key = Key(entry: "", event: .sale, currency: currency, account: .revenue)
    if settings.dimensions.contains(.app) { key.app = app }
    if settings.dimensions.contains(.storefront) { key.storefront = charge.storefront }
    if settings.dimensions.contains(.product) { key.product = charge.productID }
    for basis in [RevenueBasis.netOfTax, .proceeds] {
      for one in plan.calendar.bookings(of: versions[basis], through: day)
      where one.period <= plan.period {
        var booking = one
        booking.flow = one.flow * count
        var policy = policies[0].fact
        for change in policies where change.period <= booking.period { policy = change.fact }
        add(booking, on: basis, by: policy, key)
        // Another policy than a close had books it again.
        for change in policies where change.period > booking.period && change.period <= plan.period {
          var again = RevenueBooking(
            period: change.period, entry: .reversal, restates: booking.period, cause: .policy, flow: RevenueFlow() - booking.flow)
          add(again, on: basis, by: policy, key)
          (policy, again.entry, again.flow) = (change.fact, .rebooking, booking.flow)
          add(again, on: basis, by: policy, key)
        }
      }
    }
    let policy = policies.last { $0.period <= plan.period }?.fact ?? settings.policy(of: app)
    addRemaining(versions[policy.basis], through: day, currency, count)
  }

  /// Adds a booking on one basis, which posts its part of each amount.
  private mutating func add(_ booking: RevenueBooking, on basis: RevenueBasis, by policy: RevenuePolicy, _ place: Key) {
    var flow = PerBasis { _ in RevenueFlow() }
    flow[basis] = booking.flow
    for posting in JournalPosting.postings(of: flow, policy: policy) {
      guard booking.period == plan.period else {
        openings[Balance(currency: place.currency, account: posting.account), default: 0] += posting.milliunits
        continue
      }
      var key = place
      (key.entry, key.event, key.account, key.policy) = (booking.entry.rawValue, posting.event, posting.account, policy)
      (key.restates, key.cause) = (booking.restates, booking.cause)
      amounts[key, default: 0] += posting.milliunits
    }
  }

  private mutating func addRemaining(_ versions: [RevenueFacts.Version], through: Int, _ currency: String, _ count: Int) {
    let day = min(plan.calendar.last(plan.period), through)
    let known = versions.last { plan.calendar.index(of: $0.knownOn) <= plan.period }
    guard let schedule = known?.schedule, schedule.bookedOn <= day else { return }
    remaining[currency, default: 0] += Int128(schedule.remaining(after: day)) * Int128(count)
  }

  // MARK: Lines

  /// The lines other than 0, in the order of their keys.
  private var sorted: [(key: Key, milliunits: Int128)] {
    amounts.filter { $0.value != 0 }.map { ($0.key, $0.value) }.sorted { order($0.0).lexicographicallyPrecedes(order($1.0)) }
  }

  private func order(_ key: Key) -> [String] {
    [
      key.currency, key.entry, key.restates.map { plan.calendar.name($0) } ?? "", key.cause?.rawValue ?? "", key.app, key.storefront,
      key.product, key.policy?.rawValue ?? "", key.event.rawValue, plan.settings.code(key.account), key.account.rawValue,
    ]
  }

  /// Returns the id of a line: a hash of what it books, without its amount.
  func id(_ key: Key, in period: Int) -> String {
    let parts = [plan.calendar.scope, plan.calendar.name(period)] + order(key).filter { $0 != plan.settings.code(key.account) }
    return String(SHA256.hex(Array(parts.joined(separator: "\n").utf8)).prefix(16))
  }

  func date(_ period: Int) -> String {
    CivilDate(daysSince1970: min(plan.calendar.last(period), through)).description
  }

  /// Returns the lines of the period, revaluations last.
  ///
  /// - Throws: `JobError` if there are more lines than a table may have, or a rate is missing.
  func lines() throws -> [Line] {
    let (own, converted) = (sorted, try conversions())
    guard own.count <= ReportTable.rowsMax else {
      throw JobError(
        "could not gather the journal: it has more than \(ReportTable.rowsMax) lines",
        hint: "Leave out one of journal.dimensions in the settings.")
    }
    return try own.map { Line(key: $0.key, milliunits: $0.milliunits, base: converted[$0.key]) }
      + revaluations(after: converted)
  }

  func table(_ lines: [Line]) -> ReportTable {
    ReportTable(columns: Self.columns, isNumeric: Self.columns.map { $0.hasSuffix("_milliunits") }, rows: lines.map(row))
  }

  private static let columns = [
    "period", "line_id", "posted_on", "entry", "event", "restates_period", "cause", "reverses_line_id", "bundle_id", "storefront",
    "product_id", "policy", "account", "account_code", "currency", "amount_milliunits", "debit_milliunits", "credit_milliunits",
    "base_currency", "base_debit_milliunits", "base_credit_milliunits", "fx_rate", "fx_date",
  ]

  private func row(_ line: Line) -> [String?] {
    let (key, milliunits, base) = (line.key, line.milliunits, line.base?.milliunits)
    var reversed = key
    (reversed.entry, reversed.restates, reversed.cause) = (RevenueBooking.Entry.booking.rawValue, nil, nil)
    let reversedID = key.entry == RevenueBooking.Entry.reversal.rawValue ? key.restates.map { id(reversed, in: $0) } : nil
    return [
      plan.calendar.name(plan.period), id(key, in: plan.period), date(plan.period), key.entry, key.event.rawValue,
      key.restates.map { plan.calendar.name($0) }, key.cause?.rawValue, reversedID, key.app, key.storefront, key.product,
      key.policy?.rawValue, key.account.rawValue, plan.settings.code(key.account), key.currency, String(milliunits),
      String(max(milliunits, 0)), String(max(-milliunits, 0)), base.map { _ in plan.settings.rates?.base ?? "" },
      base.map { String(max($0, 0)) }, base.map { String(max(-$0, 0)) }, line.base?.rate.text, line.base?.rate.from,
    ]
  }

  // MARK: Base currency

  /// Returns the rate of a currency on the last day of a period. A closed period keeps its rates.
  private func rate(_ currency: String, _ period: Int, _ rates: ExchangeRates) throws -> ExchangeRates.Rate {
    let day = date(period)
    let closed = plan.policies.closedJournal(of: plan.calendar.name(period))?.rates
    // A currency that the close had no rate for came up later.
    guard let rate = (closed?.base == rates.base ? closed?.rate(currency, on: day) : nil) ?? rates.rate(currency, on: day) else {
      throw JobError(
        "could not convert \(currency) to \(rates.base): the settings have no rate of \(day) or earlier",
        hint: "Add one to journal.rates.", status: .usage)
    }
    return rate
  }

  /// Returns the amounts of the lines in the base currency. Those of one currency, rate and side are rounded by their running sum, so that
  /// debits and credits stay equal.
  private func conversions() throws -> [Key: Conversion] {
    guard let rates = plan.settings.rates else { return [:] }
    var (sums, converted): ([String: Int128], [Key: Conversion]) = ([:], [:])
    for (key, milliunits) in sorted {
      let period = key.restates ?? plan.period
      let rate = try rate(key.currency, period, rates)
      let side = "\(key.currency) \(period) \(milliunits < 0)"
      let (before, after) = (sums[side] ?? 0, (sums[side] ?? 0) + milliunits)
      sums[side] = after
      converted[key] = Conversion(milliunits: rates.convert(after, at: rate) - rates.convert(before, at: rate), rate: rate)
    }
    return converted
  }

  /// Returns lines in the base currency that bring each deferred balance to the rate of the period's last day.
  private func revaluations(after converted: [Key: Conversion]) throws -> [Line] {
    guard let rates = plan.settings.rates, plan.period > 0 else { return [] }
    let balances = closings.keys.filter { [.deferredRevenue, .deferredCommission].contains($0.account) && $0.currency != rates.base }
    return try balances.sorted { ($0.currency, $0.account) < ($1.currency, $1.account) }.flatMap { balance -> [Line] in
      let now = try rate(balance.currency, plan.period, rates)
      let opening = openings[balance] ?? 0
      let opened = opening == 0 ? 0 : rates.convert(opening, at: try rate(balance.currency, plan.period - 1, rates))
      let moved = converted.reduce(Int128(0)) { sum, line in
        line.key.currency == balance.currency && line.key.account == balance.account ? sum + line.value.milliunits : sum
      }
      let change = rates.convert(closings[balance] ?? 0, at: now) - opened - moved
      guard change != 0 else { return [] }
      return [(balance.account, change), (JournalAccount.revaluation, -change)].map { account, milliunits in
        let key = Key(
          entry: Self.revaluation, event: .revaluation, product: balance.account.rawValue, currency: balance.currency, account: account)
        return Line(key: key, milliunits: 0, base: Conversion(milliunits: milliunits, rate: now))
      }
    }
  }

  // MARK: Balances

  private var closings: [Balance: Int128] {
    amounts.reduce(into: openings) { $0[Balance(currency: $1.key.currency, account: $1.key.account), default: 0] += $1.value }
  }

  /// Balances and movements of the accounts, by currency.
  var trialBalance: ReportTable {
    let closings = closings
    let rows = closings.keys.sorted { ($0.currency, $0.account) < ($1.currency, $1.account) }.map { balance -> [String?] in
      let own = amounts.filter { $0.key.currency == balance.currency && $0.key.account == balance.account }.map(\.value)
      let figures = [
        openings[balance] ?? 0, own.filter { $0 > 0 }.reduce(0, +), -own.filter { $0 < 0 }.reduce(0, +), closings[balance] ?? 0,
      ]
      return [plan.calendar.name(plan.period), balance.currency, balance.account.rawValue, plan.settings.code(balance.account)]
        + figures.map { String($0) }
    }
    return ReportTable(
      keys: ["period", "currency", "account", "account_code"],
      figures: ["opening_milliunits", "debit_milliunits", "credit_milliunits", "closing_milliunits"], rows: rows)
  }

  func identities(of lines: [Line]) -> [ReportIdentity] {
    let balances = Dictionary(grouping: closings) { $0.key.currency }
    let byCurrency = Dictionary(grouping: lines) { $0.key.currency }
    return balances.sorted { $0.key < $1.key }.flatMap { currency, accounts -> [ReportIdentity] in
      let slice = ReportRecord(
        columns: ReportIdentity.periodKeys, cells: [plan.calendar.scope, plan.calendar.name(plan.period), currency])
      func check(_ name: String, _ left: Int128, _ right: Int128, _ formula: Phrase) -> ReportIdentity {
        ReportIdentity(name: name, slice: slice, left: left, right: right, formula: formula)
      }
      func sides(_ name: String, _ amount: (Line) -> Int128) -> ReportIdentity {
        let amounts = (byCurrency[currency] ?? []).map(amount)
        let (debits, credits) = (amounts.filter { $0 > 0 }.reduce(0, +), -amounts.filter { $0 < 0 }.reduce(0, +))
        return check(name, debits, credits, "formula.sides")
      }
      let opening = openings.reduce(Int128(0)) { $0 + ($1.key.currency == currency ? $1.value : 0) }
      let deferred = closings[Balance(currency: currency, account: .deferredRevenue)] ?? 0
      return [
        sides("journal") { $0.milliunits }, sides("base currency") { $0.base?.milliunits ?? 0 },
        check("opening", opening, 0, "formula.balances"),
        check("closing", accounts.reduce(0) { $0 + $1.value }, 0, "formula.balances"),
        check("deferred", -deferred, remaining[currency] ?? 0, "formula.account"),
      ]
    }
  }

  /// - Throws: `JobError` that names the first identity that does not hold, so that no unbalanced journal is written.
  static func check(_ identities: [ReportIdentity]) throws {
    guard let broken = identities.first(where: { $0.left != $0.right }) else { return }
    throw try JobError(
      "could not write the journal: \(broken.formula.english) does not hold in \(broken.slice.text("currency")), "
        + "\(broken.left) is not \(broken.right)", hint: "This is a fault of payrecon; send its log and the run's id to its developers.")
  }
}
