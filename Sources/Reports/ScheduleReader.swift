internal import Domain
internal import JobCore
internal import Postgres
internal import TimeZones

/// Reads charges and groups those with equal facts, so that each schedule is computed once.
///
/// Memory is bounded by `groupsMax`, whatever the number of charges.
struct ScheduleReader<Worked> {
  /// Charges with equal facts.
  final class Group {
    let charge: DeferredCharge
    /// Results of the caller for each of the charges.
    let worked: Worked
    fileprivate(set) var count = 0

    init(_ charge: DeferredCharge, _ worked: Worked) { (self.charge, self.worked) = (charge, worked) }
  }

  /// An app and a storefront: indexes of the time zones of their days, and the days that all their charges share.
  private struct Site {
    var app, fiscal: Int
    var clock = DeferredCharge.Days(app: 0, fiscal: 0)
    /// The last days of the periods in which the books of the app began.
    var history = DeferredCharge.Days(app: 0, fiscal: 0)
  }

  /// Maximum number of groups in memory.
  private static var groupsMax: Int { 20_000 }
  /// Columns of a group's key before its instants.
  private static var sharedColumns: Int { 12 }
  private static var instants: Int { 8 }

  private let calendars: [RevenueLedger.Calendar]
  private let firstClose: Int64
  private let books: [String: (zone: String, begunAt: Int64, clock: Int64)]
  private let zoneNames: [String: String]
  private var zones: [ZoneDays] = []
  private var sites: [Site] = []
  /// Indexes of `sites` by app and storefront.
  private var places: [Bytes: Int] = [:]
  private var groups: [Bytes: Group] = [:]

  /// - Parameter calendars: months, and Apple's periods.
  init(_ calendars: [RevenueLedger.Calendar], _ policies: BookPolicies, files: SQLFiles, tx: inout DatabaseTransaction) throws {
    (self.calendars, firstClose) = (calendars, policies.firstClose)
    books = try Dictionary(tx.rows(files(SchedulesSQL.books)).map { ($0, ($1, $2, $3)) }) { $1 }
    zoneNames = try Dictionary(tx.rows(files(SchedulesSQL.zones)).map { ($0, $1) }) { $1 }
  }

  /// Reads the facts of a row, which are its last columns, and counts it in its group.
  ///
  /// - Parameters:
  ///   - work: computes the results for a new group.
  ///   - total: receives all groups when there are too many.
  mutating func group(
    of row: inout CopyRow, work: (DeferredCharge) throws -> Worked, total: (Group) throws -> Void
  ) throws -> Group {
    let facts = row
    let bundleID = try row.text()
    try row.skip(2)
    let site = try sites[place(bundleID, row.text())]
    try row.skip(Self.sharedColumns - 4)
    var key = Bytes(row.bytes(since: facts))
    var days: [DeferredCharge.Days?] = []
    days.reserveCapacity(Self.instants)
    for instant in 0..<Self.instants {
      let day = try row.optionalTimestamptz().map {
        switch instant {
        // When the charge, its delivery and its upgrade became known.
        case 0, 5, 7: self.knownDays(of: $0, at: site)
        default: self.days(of: $0, at: site)
        }
      }
      days.append(day)
      unsafe withUnsafeBytes(of: day ?? .init(app: .min, fiscal: .min)) { unsafe key.bytes.append(contentsOf: $0) }
    }
    if let group = groups[key] {
      group.count += 1
      return group
    }
    if groups.count >= Self.groupsMax { try end(total) }
    var columns = facts
    let charge = try DeferredCharge(
      &columns, days, clock: site.clock, day: { self.days(of: $0, at: site) }, knownDay: { self.knownDays(of: $0, at: site) })
    let group = Group(charge, try work(charge))
    group.count = 1
    groups[key] = group
    return group
  }

  /// Passes on the groups that are left.
  mutating func end(_ total: (Group) throws -> Void) throws {
    for group in groups.values { try total(group) }
    groups.removeAll(keepingCapacity: true)
  }

  /// Returns the index of an app and a storefront in `sites`.
  private mutating func place(_ bundleID: ArraySlice<UInt8>, _ storefront: ArraySlice<UInt8>) throws -> Int {
    let name = Bytes(storefront + [0] + bundleID)
    if let known = places[name] { return known }
    let (app, storefront) = (String(decoding: bundleID, as: UTF8.self), String(decoding: storefront, as: UTF8.self))
    guard let book = books[app] else { throw JobError("could not read the schedules: the books of \"\(app)\" have no beginning") }
    var site = try Site(app: zone(book.zone), fiscal: zone(zoneNames[storefront] ?? "UTC"))
    site.clock = days(of: book.clock, at: site)
    let begun = days(of: book.begunAt, at: site)
    func last(_ calendar: Int) -> Int { calendars[calendar].last(calendars[calendar].index(of: begun[calendar] - 1)) }
    site.history = DeferredCharge.Days(app: last(0), fiscal: last(1))
    places[name] = sites.count
    sites.append(site)
    return sites.count - 1
  }

  /// Returns the index of a time zone in `zones`.
  private mutating func zone(_ name: String) throws -> Int {
    if let known = zones.firstIndex(where: { $0.rules.name == name }) { return known }
    zones.append(ZoneDays(try TimeZoneRules(named: name)))
    return zones.count - 1
  }

  /// Returns the last complete days when a fact became known. Facts of the period in which the app's books began, or of an earlier one,
  /// are history and late in no period, unless a close has signed reports without them.
  private mutating func knownDays(of microseconds: Int64, at site: Site) -> DeferredCharge.Days {
    let days = days(of: microseconds, at: site)
    func known(_ calendar: Int) -> Int {
      let day = days[calendar] - 1
      return microseconds <= firstClose && day <= site.history[calendar] ? RevenueFacts.history : day
    }
    return DeferredCharge.Days(app: known(0), fiscal: known(1))
  }

  private mutating func days(of microseconds: Int64, at site: Site) -> DeferredCharge.Days {
    DeferredCharge.Days(app: zones[site.app].day(of: microseconds), fiscal: zones[site.fiscal].day(of: microseconds))
  }
}

/// A key of bytes, hashed as a whole and not byte by byte as an array.
private struct Bytes: Hashable {
  var bytes: [UInt8]

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  func hash(into hasher: inout Hasher) { unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
}

/// Days of instants in one time zone, counted from 1970-01-01.
private struct ZoneDays {
  private static let secondsPerDay: Int64 = 86_400
  let rules: TimeZoneRules
  /// Seconds east of UTC by UTC day; nil for a day on which they change.
  private var offsets: [Int64: Int64?] = [:]

  init(_ rules: TimeZoneRules) { self.rules = rules }

  mutating func day(of microseconds: Int64) -> Int {
    let seconds = Self.floor(microseconds, 1_000_000)
    let offset = offset(on: Self.floor(seconds, Self.secondsPerDay)) ?? rules.offset(at: seconds)
    return Int(Self.floor(seconds + offset, Self.secondsPerDay))
  }

  private mutating func offset(on day: Int64) -> Int64? {
    if let known = offsets[day] { return known }
    let (first, last) = (rules.offset(at: day * Self.secondsPerDay), rules.offset(at: (day + 1) * Self.secondsPerDay - 1))
    offsets[day] = .some(first == last ? first : nil)
    return first == last ? first : nil
  }

  private static func floor(_ number: Int64, _ unit: Int64) -> Int64 { number / unit - (number % unit < 0 ? 1 : 0) }
}
