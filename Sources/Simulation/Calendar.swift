/// When the world happens.
enum Calendar {
  /// 2026-11-02T00:00:00Z, the first instant of the fortnight.
  static let start = Instant(milliseconds: 1_793_577_600_000)
  /// End of the fortnight.
  static let end = start + 14 * Span.day
  /// The instant whose knowledge the truth describes: most graces are over, a few are not.
  static let asOf = end + 3 * Span.day

  /// Weight of each local hour: people sleep at night and buy in the evening.
  private static let hours = [
    20, 12, 8, 5, 4, 5, 12, 28, 42, 48, 52, 58, 66, 60, 52, 50, 52, 58, 72, 92, 108, 112, 96, 52,
  ]

  /// An instant of the storefront's day and night, between two days of the fortnight.
  static func moment(
    _ random: inout RandomSource, in storefront: Storefront, from first: Int, to last: Int
  ) -> Instant {
    let day = first + random.below(max(1, last - first))
    let hour = Int64(random.weighted(hours)) - storefront.offset
    let ofDay = (hour + 24) % 24 * Span.hour
    let within = random.between(0, 3_599_999)
    return Instant(milliseconds: (start + (Int64(day) * Span.day + ofDay)).milliseconds + within)
  }
}
