internal import SystemCalls

/// One connection that executes requests in sequence on a dedicated queue.
actor HTTPConnection {
  private let executor = SerialQueueExecutor(label: "payrecon.http")
  private let certificateFile: String?
  /// nil until the first request.
  private var handle: EasyHandle?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(certificateFile: String?) { self.certificateFile = certificateFile }

  /// Executes a request. Cancelling the task stops the request within about a second.
  func perform(_ request: HTTPRequest, at address: RequestAddress, deadline: Duration) async throws -> HTTPResponse {
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

/// Sends requests over a fixed number of connections; a limited number of further requests queue.
///
/// TLS is always verified and redirects are never followed. A status of 400 or 500 is a response, not an error.
public actor HTTPClient {
  private struct Waiter {
    var number: Int
    var continuation: CheckedContinuation<HTTPConnection, any Error>
  }

  private let waitingMax: Int
  private var free: [HTTPConnection]
  private var waiters: [Waiter] = []
  private var lastNumber = 0

  /// - Parameters:
  ///   - connections: maximum number of concurrent requests, 1...32.
  ///   - waitingMax: maximum number of queued requests.
  ///   - certificateFile: PEM file with the trusted roots; nil uses the system's.
  public init(connections: Int = 8, waitingMax: Int = 1000, certificateFile: String? = nil) {
    self.waitingMax = waitingMax
    free = (0..<min(32, max(1, connections))).map { _ in HTTPConnection(certificateFile: certificateFile) }
  }

  /// Sends a request and returns its complete response.
  ///
  /// - Throws: `HTTPError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let address = try RequestAddress(request.url)
    let end = ContinuousClock.now + request.deadline
    let connection = try await connection(until: end)
    defer { returnToPool(connection) }
    let rest = end - .now
    guard rest > .zero else { throw HTTPError.timedOut(.queued) }
    return try await connection.perform(request, at: address, deadline: rest)
  }

  private func connection(until end: ContinuousClock.Instant) async throws -> HTTPConnection {
    // The connection used last is the most likely to be still open.
    if let connection = free.popLast() { return connection }
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
        // The task was cancelled before it was queued, so `onCancel` did not find it.
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

  private func returnToPool(_ connection: HTTPConnection) {
    guard !waiters.isEmpty else { return free.append(connection) }
    waiters.removeFirst().continuation.resume(returning: connection)
  }
}
