/// Lets so many pass at once and so many wait; the others are told to come again.
actor Turnstile {
  private let passingMax: Int
  private let waitingMax: Int
  private var passingCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(passingMax: Int, waitingMax: Int) {
    self.passingMax = passingMax
    self.waitingMax = waitingMax
  }

  /// Whether it may go on; whoever may has to leave.
  func enter() async -> Bool {
    if passingCount < passingMax {
      passingCount += 1
      return true
    }
    guard waiting.count < waitingMax else { return false }
    // Whoever leaves hands its place on, so that nobody passes by who waits.
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  /// Whether whoever comes now may go on or wait.
  var hasRoom: Bool { passingCount < passingMax || waiting.count < waitingMax }

  func leave() {
    if waiting.isEmpty { passingCount -= 1 } else { waiting.removeFirst().resume() }
  }
}
