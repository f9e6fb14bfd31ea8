/// Attempts of Apple's server to deliver a notification, at least one of which failed.
///
/// - Source: App Store Server API, sendAttempts.
public struct DeliveryAttempts: Hashable, Sendable {
  private static let success = "SUCCESS"

  public let count: Int
  /// `SUCCESS` if any attempt succeeded, else the result of the last one.
  public let result: String

  /// - Parameter results: in the order of the attempts.
  /// - Returns: nil if none failed.
  public init?(results: [String]) {
    guard let last = results.last, results.contains(where: { $0 != Self.success }) else { return nil }
    count = results.count
    result = results.contains(Self.success) ? Self.success : last
  }
}
