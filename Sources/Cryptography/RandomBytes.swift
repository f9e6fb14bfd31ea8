/// Unpredictable random bytes.
public enum RandomBytes {
  /// Returns random bytes of the system's generator.
  public static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
