/// A length of time in the notation of settings and job files.
public enum DurationText {
  /// Longest duration: 100 years.
  private static let secondsMax: Int64 = 36_525 * 86_400

  /// Returns the seconds of `90s`, `5m`, `24h` or `14d`; nil for anything else.
  public static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      count >= 0, count <= secondsMax / unit
    else { return nil }
    return count * unit
  }

  /// Formats seconds in the largest unit without a remainder: `14d`, `30h`, `5m`, `90s`.
  public static func text(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "m")]
    guard seconds != 0, let unit = units.first(where: { seconds % $0.0 == 0 }) else { return "\(seconds)s" }
    return "\(seconds / unit.0)\(unit.1)"
  }
}
