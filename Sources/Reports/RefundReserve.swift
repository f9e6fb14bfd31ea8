internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// Refunds still to come, estimated for each app and kind of product, and the back-test of the estimate.
struct RefundReserve {
  /// Purchases that share a curve.
  private struct Group {
    var bundleID, type, currency: String
    /// The last complete month.
    var through: Int
    var cohorts: RefundCohorts
  }

  /// Number of earlier months at whose end the estimate is repeated.
  private static let backTestsMax = 12
  /// Maximum number of groups: apps by kinds of products and currencies.
  private static let groupsMax = 10_000

  /// The column of the refunds to come; null without an estimate.
  static let toComeColumn = "to_come_milliunits"

  private var groups: [Group] = []

  /// Reads the purchases and refunds up to the last complete month.
  static func parts(files: SQLFiles, tx: inout DatabaseTransaction) throws -> [FinancialReport.Part] {
    var reserve = RefundReserve()
    for (bundleID, type, currency, month, age, through, charged, refunded) in try tx.rows(files(ReportsSQL.refundCohorts)) {
      if reserve.groups.last.map({ ($0.bundleID, $0.type, $0.currency) != (bundleID, type, currency) }) ?? true {
        guard reserve.groups.count < groupsMax else {
          throw JobError("could not estimate refunds: there are more than \(groupsMax) apps, kinds of products and currencies")
        }
        reserve.groups.append(
          Group(
            bundleID: bundleID, type: type, currency: currency, through: Int(through),
            cohorts: RefundCohorts(unit: Money.unit(currency: currency))))
      }
      reserve.groups[reserve.groups.count - 1].cohorts.add(
        month: Int(month), age: Int(age), charged: Int128(charged), refunded: Int128(refunded))
    }
    return reserve.parts
  }

  private var parts: [FinancialReport.Part] {
    [
      .init(name: "refund_reserve_totals", title: "refund_reserve_totals.title", note: "refund_reserve_totals.note", table: totals),
      .init(name: "refund_reserve", title: "refund_reserve.title", note: "refund_reserve.note", table: months),
      .init(name: "refund_backtest", title: "refund_backtest.title", note: "refund_backtest.note", table: backTest),
    ]
  }

  private static func name(_ month: Int) -> String {
    String(CivilDate(year: month / 12, month: month % 12 + 1, day: 1).description.prefix(7))
  }

  /// The months of purchases that may still have refunds.
  private func open(_ group: Group) -> [Int] {
    group.cohorts.months(through: group.through).filter { $0 > group.through - RefundCohorts.agesMax }
  }

  private var months: ReportTable {
    let rows = groups.flatMap { group -> [[String?]] in
      let (cohorts, through) = (group.cohorts, group.through)
      let curve = cohorts.curve(after: through)
      let history = curve == nil ? "insufficient" : "sufficient"
      return open(group).map { month in
        let figures: [Int128?] = [
          Int128(through - month), curve.map { Int128($0.ages) }, cohorts.charged(in: month),
          cohorts.refunded(of: month, from: month, through: through), curve.map { cohorts.toCome(of: month, after: through, by: $0) },
        ]
        return [group.bundleID, group.type, group.currency, Self.name(month), history] + figures.map { $0.map { String($0) } }
      }
    }
    return ReportTable(
      keys: ["bundle_id", "type", "currency", "purchase_month", "history"],
      figures: ["age_months", "curve_months", "charged_milliunits", "refunded_milliunits", Self.toComeColumn], rows: rows)
  }

  private var totals: ReportTable {
    let rows = Dictionary(grouping: groups, by: \.currency).sorted { $0.key < $1.key }.map { currency, groups -> [String?] in
      var (charged, without, refunded, toCome): (Int128, Int128, Int128, Int128?) = (0, 0, 0, nil)
      for group in groups {
        let curve = group.cohorts.curve(after: group.through)
        for month in open(group) {
          let money = group.cohorts.charged(in: month)
          guard let curve else {
            without += money
            continue
          }
          charged += money
          refunded += group.cohorts.refunded(of: month, from: month, through: group.through)
          toCome = (toCome ?? 0) + group.cohorts.toCome(of: month, after: group.through, by: curve)
        }
      }
      let through = groups.map(\.through).max() ?? 0
      let history = toCome == nil ? "insufficient" : without == 0 ? "sufficient" : "partial"
      return [currency, Self.name(through), history] + [charged, refunded, toCome, without].map { $0.map { String($0) } }
    }
    return ReportTable(
      keys: ["currency", "period", "history"],
      figures: ["charged_milliunits", "refunded_milliunits", Self.toComeColumn, "not_estimated_milliunits"], rows: rows)
  }

  /// One estimate at an earlier month's end, against the refunds that came since.
  private struct BackTest {
    /// All refunds to come, those of them until the last complete month, and the refunds of these months.
    var toCome, predicted, actual: Int128
  }

  private var backTest: ReportTable {
    var tests: [[String]: BackTest] = [:]
    for group in groups {
      let (cohorts, through) = (group.cohorts, group.through)
      for end in (through - Self.backTestsMax)..<through {
        guard let curve = cohorts.curve(after: end) else { continue }
        var test = tests[[group.currency, Self.name(end)]] ?? BackTest(toCome: 0, predicted: 0, actual: 0)
        for month in cohorts.months(through: end) {
          test.toCome += cohorts.toCome(of: month, after: end, by: curve)
          test.predicted += cohorts.toCome(of: month, after: end, through: through, by: curve)
          test.actual += cohorts.refunded(of: month, from: end + 1, through: through)
        }
        tests[[group.currency, Self.name(end)]] = test
      }
    }
    let shown = tests.filter { $0.value.toCome != 0 || $0.value.actual != 0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let rows = shown.map { place, test -> [String?] in
      let error = test.predicted - test.actual
      return place + [test.toCome, test.predicted, test.actual, error].map { String($0) }
        + [test.actual <= 0 ? nil : String(Money.rounded(error * 10_000, over: test.actual, unit: 1))]
    }
    return ReportTable(
      keys: ["currency", "period"],
      figures: [Self.toComeColumn, "predicted_milliunits", "actual_milliunits", "error_milliunits", "error_bp"], rows: rows)
  }
}
