internal import AppStoreServer
public import Domain

/// The result of a download of reports.
public struct FinanceOutcome: Sendable {
  /// Rows of the downloaded reports.
  public var tally = Tally()
  public var askCount = 0
  /// Number of downloaded reports, including unchanged ones.
  public var takenCount = 0
  /// Number of downloaded reports that differ from the previous version.
  public var restatedCount = 0
  public var noSalesCount = 0
  public var notReadyCount = 0
  /// Reports that are overdue or refused, each with its next step.
  public var missing: [String] = []
  /// Reports that became unavailable in this run, each with its next step.
  public var lost: [String] = []
  /// Reports that are not due yet.
  public var waiting: [String] = []
  /// Keys that Apple refused.
  public var alarms: [String] = []

  public init() {}

  public var verdict: Verdict {
    if !alarms.isEmpty { return .failed }
    if !missing.isEmpty { return .incomplete }
    if !lost.isEmpty { return .warnings }
    return waiting.isEmpty ? .clean : .pending
  }

  /// All messages for an operator, the most severe first.
  public var messages: [String] { alarms + missing + lost + waiting }

  public var text: String {
    "\(askCount) asked, \(takenCount) taken (\(restatedCount) restated), \(noSalesCount) without sales, "
      + "\(notReadyCount) not ready; \(tally.text)"
  }

  mutating func add(_ other: FinanceOutcome) {
    tally = tally + other.tally
    askCount += other.askCount
    takenCount += other.takenCount
    restatedCount += other.restatedCount
    noSalesCount += other.noSalesCount
    notReadyCount += other.notReadyCount
    missing += other.missing
    lost += other.lost
    waiting += other.waiting
    alarms += other.alarms
  }
}

extension FinanceOutcome {
  /// Adds a message per missing report and reason, except for reports that already have one.
  mutating func judge(
    _ plan: ReportPlan, _ positions: [ConnectQuery: ReportPosition], except reported: Set<ConnectQuery>, asOf: Timestamp
  ) {
    var groups: [String: [(query: ConnectQuery, position: ReportPosition?, isLate: Bool)]] = [:]
    for (query, lastDay) in plan.queries where !reported.contains(query) {
      let position = positions[query]
      let isSettled = position?.contentSHA256 != nil && position?.outcome != .refused
      if isSettled || position?.outcome == .noSales { continue }
      let isLate = position?.outcome == .notReady && plan.isLate(query, lastDay: lastDay)
      let reason = position.map { isLate ? "late" : $0.outcome.rawValue } ?? "not asked"
      groups["\(query.report.rawValue) \(reason)", default: []].append((query, position, isLate))
    }
    let refused = Set(plan.queries.map(\.query).filter { [.forbidden, .wrongVendor].contains(positions[$0]?.outcome) }.map(\.report))
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = group.first else { continue }
      // When one report of a kind was refused, the others of the kind were not requested.
      if first.position == nil, refused.contains(first.query.report) { continue }
      let count = group.count == 1 ? "" : " and \(group.count - 1) more"
      let subject = "\(first.query.report.rawValue) \(first.query.period)\(count) of \(first.query.vendor)"
      report(first.position, subject, isLate: first.isLate, isNew: group.contains { $0.position?.askedAt == asOf })
    }
  }

  private mutating func report(_ position: ReportPosition?, _ subject: String, isLate: Bool, isNew: Bool) {
    guard let position else {
      missing.append("\(subject): not asked for yet; the next run goes on")
      return
    }
    let words = position.words.isEmpty ? "" : " (\(position.words))"
    switch position.outcome {
    case .report, .noSales: break
    case .notReady where !isLate: waiting.append("\(subject): not ready yet; the next run asks again")
    case .notReady:
      missing.append(
        "\(subject): late\(words); every run asks again; if Apple's system status says nothing, look for it in App Store Connect "
          + "and read it by payrecon ingest finance")
    case .forbidden:
      missing.append(
        "\(subject): forbidden\(words); give the key the role Finance or Admin, or see in App Store Connect, Business, whether an "
          + "agreement waits; every run asks again")
    case .wrongVendor:
      missing.append(
        "\(subject): no vendor number of this key's team\(words); correct finance.accounts by what Payments and Financial Reports "
          + "shows; where it is right, the account has no such report: leave it out of finance.reports")
    case .outsideRetention where isNew:
      lost.append(
        "\(subject): Apple keeps it no longer\(words); nobody asks again; a copy from elsewhere is read by payrecon ingest finance")
    case .outsideRetention: break
    case .refused:
      missing.append(
        "\(subject): the download could not be read\(words); every run asks again; the bytes are kept: payrecon deadletter list")
    }
  }
}
