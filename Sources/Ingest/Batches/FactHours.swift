internal import Domain
internal import JobCore
internal import Postgres

/// Numbers of new facts by app, environment and hour: an order's last change, or Apple's statement.
struct FactHours {
  private struct Hour: Hashable {
    var bundleID: ByteText
    var environment: ByteText
    var number: Int64
  }

  private static let hourMicroseconds: Int64 = 3_600_000_000

  private var counts: [Hour: (count: Int64, newest: Timestamp)] = [:]

  /// Counts the facts that are not dated after `until`, each given as its bundle id, environment and instant.
  init(_ facts: some Sequence<(String, String, Timestamp)>, until: Timestamp) {
    for (bundleID, environment, at) in facts where at <= until {
      let (number, _) = at.microseconds.flooredQuotientAndRemainder(Self.hourMicroseconds)
      let hour = Hour(bundleID: ByteText(bundleID), environment: ByteText(environment), number: number)
      let known = counts[hour]
      counts[hour] = ((known?.count ?? 0) + 1, max(known?.newest ?? at, at))
    }
  }

  /// Adds the counts to those of a batch.
  func add(to batchID: Int64, kind: InputKind, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    let counted = counts.map { $0 }
    try tx.send(
      sql(IngestSQL.newHours),
      [
        "batch_id": .int8(batchID), "kind": .text(kind.rawValue),
        "bundle_ids": .textArray(counted.map(\.key.bundleID.text)),
        "environments": .textArray(counted.map(\.key.environment.text)),
        "hours": .textArray(counted.map { Timestamp(microseconds: $0.key.number * Self.hourMicroseconds).rfc3339 }),
        "row_counts": .textArray(counted.map { String($0.value.count) }),
        "newest": .textArray(counted.map { $0.value.newest.rfc3339 }),
      ])
  }
}
