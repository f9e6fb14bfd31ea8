internal import Domain
internal import JobCore
internal import Postgres

/// Numbers of new facts by app, environment and hour: an order's last change, or Apple's statement.
struct FactHours {
  private struct App: Hashable {
    var bundleID: ByteText
    var environment: ByteText
  }

  private static let hourMicroseconds: Int64 = 3_600_000_000

  private struct Count {
    var facts = 0
    /// Microseconds since 1970.
    var newest = Int64.min

    mutating func add(_ at: Int64) {
      facts += 1
      newest = max(newest, at)
    }
  }

  private var places: [App: Int] = [:]
  /// Counts of each app by the number of the hour since 1970.
  private var hours: [[Int64: Count]] = []

  /// Counts the facts that are not dated after `until`, each given as its bundle id, environment and instant.
  init(_ facts: some Sequence<(String, String, Timestamp)>, until: Timestamp) {
    // Most facts are of the same app as the fact before them.
    var last: (app: App, place: Int)?
    for (bundleID, environment, at) in facts where at <= until {
      let app = App(bundleID: ByteText(bundleID), environment: ByteText(environment))
      let place = if let last, last.app == app { last.place } else { place(of: app) }
      last = (app, place)
      let (hour, _) = at.microseconds.flooredQuotientAndRemainder(Self.hourMicroseconds)
      hours[place][hour, default: Count()].add(at.microseconds)
    }
  }

  private mutating func place(of app: App) -> Int {
    if let place = places[app] { return place }
    places[app] = hours.count
    hours.append([:])
    return hours.count - 1
  }

  func add(to batchID: Int64, kind: InputKind, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    let counted = places.flatMap { app, place in hours[place].map { (app: app, hour: $0.key, count: $0.value) } }
    try tx.send(
      sql(IngestSQL.newHours),
      [
        "batch_id": .int8(batchID), "kind": .text(kind.rawValue),
        "bundle_ids": .textArray(counted.map(\.app.bundleID.text)),
        "environments": .textArray(counted.map(\.app.environment.text)),
        "hours": .textArray(counted.map { String($0.hour) }), "row_counts": .textArray(counted.map { String($0.count.facts) }),
        "newest": .textArray(counted.map { String($0.count.newest) }),
      ])
  }
}
