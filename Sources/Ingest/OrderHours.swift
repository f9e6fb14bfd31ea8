internal import Domain
internal import Postgres

/// Numbers of orders by app, environment and hour of their last change.
struct OrderHours {
  private struct Hour: Hashable {
    var bundleID: ByteText
    var environment: ByteText
    var number: Int64
  }

  private static let hourMicroseconds: Int64 = 3_600_000_000

  private var counts: [Hour: (count: Int64, newest: Timestamp)] = [:]

  /// Counts the orders whose last change is not after `until`.
  init(_ orders: some Sequence<OrderRow>, until: Timestamp) {
    for order in orders where order.updatedAt <= until {
      let (number, _) = order.updatedAt.microseconds.flooredQuotientAndRemainder(Self.hourMicroseconds)
      let hour = Hour(bundleID: ByteText(order.bundleID), environment: ByteText(order.environment), number: number)
      let known = counts[hour]
      counts[hour] = ((known?.count ?? 0) + 1, max(known?.newest ?? order.updatedAt, order.updatedAt))
    }
  }

  /// Returns the counts as parameters of the statement that adds them.
  func parameters(batchID: Int64) -> [String: Value] {
    let counted = counts.map { $0 }
    return [
      "batch_id": .int8(batchID),
      "bundle_ids": .textArray(counted.map(\.key.bundleID.text)),
      "environments": .textArray(counted.map(\.key.environment.text)),
      "hours": .textArray(counted.map { Timestamp(microseconds: $0.key.number * Self.hourMicroseconds).rfc3339 }),
      "row_counts": .textArray(counted.map { String($0.value.count) }),
      "newest": .textArray(counted.map { $0.value.newest.rfc3339 }),
    ]
  }
}
