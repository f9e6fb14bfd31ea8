internal import Domain
internal import Postgres

extension Transaction {
  /// Reads nothing, for the rest of the transaction, that was not known at a clock.
  ///
  /// Where nothing came later the tables stay as they are, with what that costs: nothing.
  mutating func lookBack(to clock: Timestamp, files: SQLFiles) throws {
    let latest = try rows(files("runs/latest_clock.sql")) { row throws(PostgresError) in
      try row.optionalTimestamptz()
    }.first ?? nil
    guard let latest, latest > clock.microseconds else { return }
    _ = try run(files("runs/look_back.sql"), ["as_of": .timestamptz(microseconds: clock.microseconds)])
  }
}
