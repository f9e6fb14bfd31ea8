internal import Domain
internal import JobCore
internal import Postgres

/// Numbers of new facts by app, environment and hour: an order's last change, or Apple's statement.
struct FactHours {
  private struct Key: Hashable {
    var bundleID: ByteText
    var environment: ByteText
    /// Hours since 1970; nil for facts dated ahead, which count in no hour.
    var hour: Int64?
  }

  private static let hourMicroseconds: Int64 = 3_600_000_000

  /// Numbers of facts, and the microseconds since 1970 of the newest one.
  private var counts: [Key: (facts: Int, newest: Int64)] = [:]

  /// Counts facts, each given as its bundle id, environment and instant. Those after `until` are dated ahead.
  init(_ facts: some Sequence<(String, String, Timestamp)>, until: Timestamp) {
    for (bundleID, environment, at) in facts {
      let hour = at <= until ? at.microseconds.flooredQuotientAndRemainder(Self.hourMicroseconds).0 : nil
      let key = Key(bundleID: ByteText(bundleID), environment: ByteText(environment), hour: hour)
      let known = counts[key] ?? (0, .min)
      counts[key] = (known.facts + 1, max(known.newest, at.microseconds))
    }
  }

  func add(to batchID: Int64, kind: InputKind, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    let counted = Array(counts)
    try tx.send(
      sql(IngestSQL.newHours),
      [
        "batch_id": .int8(batchID), "kind": .text(kind.rawValue),
        "bundle_ids": .textArray(counted.map(\.key.bundleID.text)),
        "environments": .textArray(counted.map(\.key.environment.text)),
        "hours": .textArray(counted.map { $0.key.hour.map(String.init) ?? "" }),
        "row_counts": .textArray(counted.map { String($0.value.facts) }),
        "newest": .textArray(counted.map { String($0.value.newest) }),
      ])
  }
}
