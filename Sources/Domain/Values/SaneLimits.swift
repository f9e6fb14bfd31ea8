/// Limits of orders, products and purchases. A value beyond them is an input error.
///
/// Every value, and every product of two, fits well into 64 bits.
public enum SaneLimits {
  /// Money in thousandths of the currency unit.
  public static let milliunits: ClosedRange<Int64> = 0...10_000_000_000_000
  /// Units of one purchase.
  public static let quantity: ClosedRange<Int64> = 1...10_000
  /// Shares in thousandths of a percent.
  public static let millipercent: ClosedRange<Int64> = 0...100_000
  /// First and last year of an instant, in UTC.
  public static let years = 2008...2100
  /// From the start of the first of `years` to the end of the last.
  public static let instants = Timestamp(microseconds: 1_199_145_600_000_000)..<Timestamp(microseconds: 4_133_980_800_000_000)
}
