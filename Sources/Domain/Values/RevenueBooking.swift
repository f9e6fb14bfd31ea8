/// The amounts on which revenue is computed.
public enum RevenueBasis: String, Sendable, CaseIterable {
  /// The customer's price.
  case gross
  /// The price without the tax that it includes, by the rates of the settings.
  case netOfTax = "net_of_tax"
  /// The money that Apple pays out: an estimate until a cell of the tie-out proves it.
  case proceeds
  /// The part of the proceeds that no cell has proved.
  case estimated
}

public struct PerBasis<Value> {
  public var gross, netOfTax, proceeds, estimated: Value

  public init(_ value: (RevenueBasis) throws -> Value) rethrows {
    gross = try value(.gross)
    netOfTax = try value(.netOfTax)
    proceeds = try value(.proceeds)
    estimated = try value(.estimated)
  }

  public subscript(basis: RevenueBasis) -> Value {
    get {
      switch basis {
      case .gross: gross
      case .netOfTax: netOfTax
      case .proceeds: proceeds
      case .estimated: estimated
      }
    }
    set {
      switch basis {
      case .gross: gross = newValue
      case .netOfTax: netOfTax = newValue
      case .proceeds: proceeds = newValue
      case .estimated: estimated = newValue
      }
    }
  }
}

extension PerBasis: Sendable where Value: Sendable {}
extension PerBasis: Equatable where Value: Equatable {}

extension RevenueFacts {
  /// Returns the facts of the charge on each basis. Each basis splits the term into days separately, so tax and commission are
  /// differences that add up.
  ///
  /// - Parameters:
  ///   - estimates: net of tax and proceeds, in the order in which their rates became known; 1 or more.
  ///   - proved: proceeds by cells of the tie-out, in the order in which they became known.
  public func bases(estimates: [Known<ProceedsRates.Estimate>], proved: [Known<Int64>]) -> PerBasis<RevenueFacts> {
    let provedOn = proved.first?.knownOn ?? .max
    let estimated = Self.changes(estimates.filter { $0.knownOn < provedOn }.map { Known($0.fact.proceeds, knownOn: $0.knownOn) })
    return PerBasis { basis in
      var facts = self
      switch basis {
      case .gross: break
      case .netOfTax: facts.amounts = Self.changes(estimates.map { Known($0.fact.netOfTax, knownOn: $0.knownOn) })
      case .proceeds: (facts.amounts, facts.provedOn) = (estimated + proved, provedOn)
      case .estimated: (facts.amounts, facts.provedOn) = (estimated + proved.prefix(1).map { Known(0, knownOn: $0.knownOn) }, provedOn)
      }
      return facts
    }
  }
}

/// Changes of one charge's money that belong to one period.
public struct RevenueBooking: Sendable {
  /// How the changes enter the books.
  public enum Entry: String, Sendable, Hashable, Comparable {
    /// Changes of the period itself.
    case booking
    /// Takes back what was booked in the earlier period.
    case reversal
    /// Books it again as known now.
    case rebooking

    public static func < (one: Entry, other: Entry) -> Bool { one.rawValue < other.rawValue }
  }

  public var period: Int
  public var entry: Entry
  /// The earlier period of a reversal or rebooking.
  public var restates: Int?
  public var cause: RevenueCause?
  public var flow: RevenueFlow

  public init(period: Int, entry: Entry, restates: Int? = nil, cause: RevenueCause? = nil, flow: RevenueFlow) {
    self.period = period
    self.entry = entry
    self.restates = restates
    self.cause = cause
    self.flow = flow
  }
}

extension RevenueLedger.Calendar {
  /// Returns the changes of one charge by period. They add up to the charge's part of every roll-forward.
  ///
  /// - Parameters:
  ///   - versions: the charge's schedules, in the order in which they became known.
  ///   - day: the last complete day.
  public func bookings(of versions: [RevenueFacts.Version], through day: Int) -> [RevenueBooking] {
    guard versions.contains(where: { $0.schedule.total > 0 }) else { return [] }
    let known = RevenueLedger.periods(versions, self)
    let first = max(known[0].period, known.map { index(of: $0.schedule.bookedOn) }.min() ?? 0)
    let last = min(index(of: day), known.map { max($0.period, index(of: $0.schedule.lastDay)) }.max() ?? first)
    var bookings: [RevenueBooking] = []
    for period in stride(from: first, through: last, by: 1) {
      guard let now = known.last(where: { $0.period <= period })?.schedule, now.bookedOn <= day else { continue }
      let flow = now.flow(through: min(self.last(period), day)) - now.flow(through: self.first(period) - 1)
      if flow != RevenueFlow() { bookings.append(RevenueBooking(period: period, entry: .booking, flow: flow)) }
    }
    for change in corrections(of: versions, through: day) {
      func add(_ entry: RevenueBooking.Entry, _ flow: RevenueFlow) {
        guard flow != RevenueFlow() else { return }
        bookings.append(
          RevenueBooking(period: change.period, entry: entry, restates: change.restates, cause: change.cause, flow: flow))
      }
      add(.reversal, RevenueFlow() - change.before)
      add(.rebooking, change.now)
    }
    return bookings
  }
}
