import Synchronization

/// Apple's notifications to a large world: the created ones and the delivered ones, each read once.
final class RenewalNotifications: Sendable {
  /// The newest notification about a subscription and the newest one that arrived.
  struct Last: Sendable {
    var newestAt: Moment
    var isNewestLost: Bool
    var reportedAt: Moment?
  }

  private struct State {
    var isLossy = false
    var waiting: [String] = []
    var last: [String: Last] = [:]
    var count = 0
    var lostCount = 0
    /// Transaction ids of all renewals.
    var renewals: Set<String> = []
  }

  private let lossPercent: UInt64
  private let state = Mutex(State())

  init(lossPercent: UInt64) { self.lossPercent = lossPercent }

  func beginLosing() { state.withLock { $0.isLossy = true } }

  var counts: (all: Int, lost: Int) { state.withLock { ($0.count, $0.lostCount) } }
  var last: [String: Last] { state.withLock { $0.last } }
  var renewals: Set<String> { state.withLock { $0.renewals } }

  /// Takes a notification, or loses it. Returns whether it arrived.
  func receive(_ notification: StoreNotification, _ body: () -> [UInt8]) -> Bool {
    let isUnlucky = spreadHash(notification.uuid) >> 7 % 100 < lossPercent
    let hasArrived = state.withLock { state in
      let isLost = state.isLossy && isUnlucky
      if state.isLossy {
        state.count += 1
        state.lostCount += isLost ? 1 : 0
      }
      let transaction = notification.transaction
      var last = state.last[transaction.originalID] ?? Last(newestAt: notification.signedAt, isNewestLost: isLost)
      last.newestAt = notification.signedAt
      last.isNewestLost = isLost
      if !isLost { last.reportedAt = notification.signedAt }
      state.last[transaction.originalID] = last
      if notification.type == "DID_RENEW" { state.renewals.insert(transaction.id) }
      return !isLost
    }
    guard hasArrived else { return false }
    let text = String(decoding: body(), as: UTF8.self)
    state.withLock { $0.waiting.append(text) }
    return true
  }

  func take() -> [String] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}

/// Returns the FNV-1a hash of an id with its bits spread, because neighbouring ids hardly differ.
func spreadHash(_ id: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
  hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
  return hash ^ hash >> 33
}

/// A clock that sleeping advances. Requests keep the pace of Apple's limits without real delays.
final class WorldClock: Sendable {
  private let now: Mutex<Int64>

  init(_ start: Moment) { now = Mutex(start.milliseconds * 1000) }

  var microseconds: Int64 { now.withLock { $0 } }
  var milliseconds: Int64 { microseconds / 1000 }

  func move(to moment: Moment) { now.withLock { $0 = max($0, moment.milliseconds * 1000) } }

  var server: ServerClock {
    ServerClock(
      now: { Timestamp(microseconds: self.microseconds) },
      sleep: { span in
        let parts = span.components
        let micros = parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
        self.now.withLock { $0 += micros }
        try Task.checkCancellation()
        await Task.yield()
      })
  }
}
