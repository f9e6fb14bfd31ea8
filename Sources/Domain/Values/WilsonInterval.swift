/// Bounds within which a share lies that a sample estimates, with a confidence of 95 %.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212.
public enum WilsonInterval {
  /// Standard deviations around the mean that contain 95 % of a normal distribution.
  private static let z = 1.959_963_985

  /// Returns the bounds in whole percent, rounded outwards; 0 to 100 without trials.
  public static func percent(hits: Int128, of trials: Int128) -> (low: Int, high: Int) {
    guard trials > 0 else { return (0, 100) }
    let (count, share) = (Double(trials), Double(hits) / Double(trials))
    let middle = share + z * z / (2 * count)
    let halfWidth = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    let scale = 100 / (1 + z * z / count)
    // A rounding error must not move a bound of 0 or 100.
    let low = ((middle - halfWidth) * scale + 1e-9).rounded(.down)
    let high = ((middle + halfWidth) * scale - 1e-9).rounded(.up)
    return (max(0, Int(low)), min(100, Int(high)))
  }
}
