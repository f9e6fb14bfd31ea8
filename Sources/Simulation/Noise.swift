/// What goes wrong in a real shop without anybody meaning it: clocks, lost tokens, devices in many hands, notifications
/// that come late or never.
public struct Noise: Sendable, Hashable {
  /// Largest error of our own clocks, in seconds.
  public var skewSeconds: Int64 = 0
  /// Charges whose token the app forgot to set, of those that nothing else tells.
  public var lostTokenPercent = 0
  /// Customers who use a device that others use as well.
  public var sharedDevicePercent = 0
  /// Notifications that never come.
  public var missingNotificationPercent = 0
  /// Notifications that Apple sends up to two days late.
  public var lateNotificationPercent = 0

  public static let none = Noise()
  public static let usual = Noise(
    skewSeconds: 240, lostTokenPercent: 10, sharedDevicePercent: 10, missingNotificationPercent: 4,
    lateNotificationPercent: 10)

  /// Customers to one of the shared devices.
  static let customersPerDevice = 3
}

/// The noise of one case, from a random stream of its own: without noise a world keeps its bytes.
struct NoiseSource {
  let noise: Noise
  /// Devices in many hands.
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

  /// Tells an order's instants by a clock that is wrong.
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
