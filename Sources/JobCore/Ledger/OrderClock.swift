internal import Domain
package import Postgres

/// A file of orders whose clock is probably local time: its orders fit their purchases only with one constant offset.
package struct OrderClock: Sendable, CustomStringConvertible {
  var file: String
  /// Offset of the file's clock from Apple's; negative if it is behind.
  var offsetSeconds: Int64
  var fittingCount: Int64
  /// Number of compared orders whose purchases are known.
  var orderCount: Int64

  package var description: String {
    let (hours, minutes) = (offsetSeconds.magnitude / 3600, offsetSeconds.magnitude / 60 % 60)
    let span = minutes == 0 ? "\(hours)h" : "\(hours)h\(minutes)m"
    return "orders file \"\(file)\": its clock is probably local time, \(span) \(offsetSeconds > 0 ? "ahead of" : "behind") Apple's: "
      + "\(fittingCount) of \(orderCount) orders that were compared fit their purchases only so; nothing was decided; "
      + "correct zone in the file's mapping, which replaces the times that were read; if the file itself states a wrong offset, send it "
      + "with the right one and give every row a later updated_at, or start with an empty database; if its times are right, start the "
      + "night with --accept-clock"
  }

  /// Returns the files with such a clock among the orders that are not decided yet.
  package static func suspects(context: JobContext, on session: Session) async throws -> [OrderClock] {
    try await context.rows(RunsSQL.orderClocks, on: session).map {
      OrderClock(file: $0.0, offsetSeconds: $0.1, fittingCount: $0.2, orderCount: $0.3)
    }
  }
}
