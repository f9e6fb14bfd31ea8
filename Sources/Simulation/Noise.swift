/// Accidental irregularities of a real shop: wrong clocks, lost tokens, shared devices, late or missing notifications.
public struct Noise: Sendable, Hashable {
  /// Maximum error of our own clocks, in seconds.
  public var skewSeconds: Int64 = 0
  /// Percentage of charges whose token the app did not set, among those that only the token identifies.
  public var lostTokenPercent = 0
  /// Percentage of customers who use a shared device.
  public var sharedDevicePercent = 0
  /// Percentage of notifications that never arrive.
  public var missingNotificationPercent = 0
  /// Percentage of notifications that Apple sends up to two days late.
  public var lateNotificationPercent = 0

  public static let none = Noise()
  public static let usual = Noise(
    skewSeconds: 240, lostTokenPercent: 10, sharedDevicePercent: 10, missingNotificationPercent: 4,
    lateNotificationPercent: 10)

  static let customersPerDevice = 3
}

/// The noise of one case, from a separate random stream, so that a world without noise keeps its bytes.
struct NoiseSource {
  let noise: Noise
  let deviceCount: Int
  private var random: RandomSource

  init(_ noise: Noise, seed: UInt64, index: Int, cases: Int) {
    self.noise = noise
    deviceCount = max(1, cases * noise.sharedDevicePercent / 100 / Noise.customersPerDevice)
    random = RandomSource(seed: ~seed, stream: UInt64(index))
  }

  mutating func losesToken() -> Bool { random.percent(noise.lostTokenPercent) }
  mutating func losesNotification() -> Bool { random.percent(noise.missingNotificationPercent) }

  mutating func notificationDelay() -> Int64 {
    random.percent(noise.lateNotificationPercent) ? random.between(Span.hour, 2 * Span.day) : 0
  }

  mutating func sharedDevice() -> String? {
    random.percent(noise.sharedDevicePercent) ? "shared-\(random.below(deviceCount))" : nil
  }

  /// Shifts an order's instants by a clock error.
  mutating func skew(_ order: inout Order) {
    guard noise.skewSeconds > 0 else { return }
    let error = random.between(-noise.skewSeconds, noise.skewSeconds)
    let latest = [order.createdAt, order.updatedAt, order.paidAt, order.deliveredAt].compactMap { $0 }.max() ?? order.createdAt
    guard latest + error < Calendar.asOf else { return }
    order.createdAt = order.createdAt + error
    order.updatedAt = order.updatedAt.map { $0 + error }
    order.paidAt = order.paidAt.map { $0 + error }
    order.deliveredAt = order.deliveredAt.map { $0 + error }
  }
}
