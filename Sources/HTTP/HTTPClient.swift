internal import SystemCalls

/// One connection's worth of requests, one after the other, on a queue of its own.
actor HTTPLane {
  private let executor = SerialQueueExecutor(label: "payrecon.http")
  private let certificateFile: String?
  /// nil until the first request.
  private var handle: EasyHandle?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(certificateFile: String?) { self.certificateFile = certificateFile }

  /// Runs a request; a cancelled task waits at most about a second for it to stop.
  func perform(
    _ request: HTTPRequest, at address: RequestAddress, deadline: Duration
  ) async throws -> HTTPResponse {
    let flag = CancelFlag()
    return try await withTaskCancellationHandler {
      try run(request, at: address, deadline: deadline, flag: flag)
    } onCancel: {
      flag.set()
    }
  }

  private func run(
    _ request: HTTPRequest, at address: RequestAddress, deadline: Duration, flag: CancelFlag
  ) throws(HTTPError) -> HTTPResponse {
    if flag.isSet { throw .cancelled }
    let handle: EasyHandle
    if let kept = self.handle {
      handle = kept
    } else {
      handle = try EasyHandle(certificateFile: certificateFile)
    }
    self.handle = handle
    return try handle.perform(request, at: address, deadline: deadline, flag: flag)
  }
}

/// Sends requests over a fixed number of connections; further ones wait their turn, up to a limit.
///
/// TLS is always checked and redirects are never followed. A status of 400 or 500 is a response, not an
/// error.
public actor HTTPClient {
  private struct Waiter {
    var number: Int
    var continuation: CheckedContinuation<HTTPLane, any Error>
  }

  private let waitingMax: Int
  private var free: [HTTPLane]
  private var waiters: [Waiter] = []
  private var lastNumber = 0

  /// - Parameters:
  ///   - lanes: requests under way at once, 1...32.
  ///   - waitingMax: requests that may wait for a lane.
  ///   - certificateFile: PEM file with the trusted roots; nil takes the system's.
  public init(lanes: Int = 8, waitingMax: Int = 1000, certificateFile: String? = nil) {
    self.waitingMax = waitingMax
    free = (0..<min(32, max(1, lanes))).map { _ in HTTPLane(certificateFile: certificateFile) }
  }

  /// Sends a request and waits for all of its response.
  ///
  /// - Throws: `HTTPError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let address = try RequestAddress(request.url)
    let end = ContinuousClock.now + request.deadline
    let lane = try await lane(until: end)
    defer { giveBack(lane) }
    let rest = end - .now
    guard rest > .zero else { throw HTTPError.timedOut(.queued) }
    return try await lane.perform(request, at: address, deadline: rest)
  }

  private func lane(until end: ContinuousClock.Instant) async throws -> HTTPLane {
    // The lane used last has the warmest connection.
    if let lane = free.popLast() { return lane }
    guard waiters.count < waitingMax else { throw HTTPError.tooManyWaiting(limit: waitingMax) }
    lastNumber += 1
    let number = lastNumber
    let timer = Task {
      try await Task.sleep(until: end)
      self.fail(number, .timedOut(.queued))
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Cancelled before it was in the list: nobody would take it out again.
        if Task.isCancelled { return continuation.resume(throwing: HTTPError.cancelled) }
        waiters.append(Waiter(number: number, continuation: continuation))
      }
    } onCancel: {
      Task { await self.fail(number, .cancelled) }
    }
  }

  private func fail(_ number: Int, _ error: HTTPError) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).continuation.resume(throwing: error)
  }

  private func giveBack(_ lane: HTTPLane) {
    guard !waiters.isEmpty else { return free.append(lane) }
    waiters.removeFirst().continuation.resume(returning: lane)
  }
}
