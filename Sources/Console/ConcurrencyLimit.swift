/// A limit on concurrent work with a bounded queue. Further callers are refused.
actor ConcurrencyLimit {
  private let passingMax: Int
  private let waitingMax: Int
  private var passingCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(passingMax: Int, waitingMax: Int) { (self.passingMax, self.waitingMax) = (passingMax, waitingMax) }

  /// Runs work as soon as it has a slot; returns nil if the queue is full.
  nonisolated func run<Result>(_ work: () async throws -> Result) async rethrows -> Result? {
    guard await enter() else { return nil }
    do {
      let result = try await work()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  /// Waits for a slot. Returns false if the queue is full; after true, the caller must call `leave`.
  private func enter() async -> Bool {
    if passingCount < passingMax {
      passingCount += 1
      return true
    }
    guard waiting.count < waitingMax else { return false }
    // The leaving task passes its slot directly to the first in the queue, so that no newcomer overtakes.
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  var hasRoom: Bool { passingCount < passingMax || waiting.count < waitingMax }

  private func leave() {
    if waiting.isEmpty { passingCount -= 1 } else { waiting.removeFirst().resume() }
  }
}
