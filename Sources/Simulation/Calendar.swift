/// The time frame of the world.
enum Calendar {
  /// 2026-11-02T00:00:00Z, the first instant of the fortnight.
  static let start = Instant(milliseconds: 1_793_577_600_000)
  /// End of the fortnight, exclusive.
  static let end = start + 14 * Span.day
  /// The as-of of the truth: most grace times have ended, a few have not.
  static let asOf = end + 3 * Span.day

  /// Weight of each local hour: customers sleep at night and buy in the evening.
  private static let hours = [20, 12, 8, 5, 4, 5, 12, 28, 42, 48, 52, 58, 66, 60, 52, 50, 52, 58, 72, 92, 108, 112, 96, 52]

  /// Returns a random instant between two days of the fortnight, weighted by the storefront's local hour.
  static func moment(_ random: inout RandomSource, in storefront: Storefront, from first: Int, to last: Int) -> Instant {
    let day = first + random.below(max(1, last - first))
    let hour = Int64(random.weighted(hours)) - storefront.offset
    let ofDay = (hour + 24) % 24 * Span.hour
    let within = random.between(0, 3_599_999)
    return Instant(milliseconds: (start + (Int64(day) * Span.day + ofDay)).milliseconds + within)
  }
}
