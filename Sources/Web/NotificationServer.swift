public import Collect
internal import Hummingbird
public import Logging
internal import Synchronization

/// The endpoint to which Apple posts notifications.
///
/// 200 means that the bytes are on disk; 503 makes Apple send them again. A post that Apple did not sign also gets 200.
/// It is counted in the quarantine and never enters the queue.
public struct NotificationServer: Sendable {
  private let queue: PostQueue
  private let log: Logger

  public init(queue: PostQueue, log: Logger) { (self.queue, self.log) = (queue, log) }

  /// Serves until the process is asked to stop. Open requests are then completed for a limited time.
  ///
  /// - Parameter isListening: called with the port once the server listens.
  public func run(host: String, port: Int, isListening: @escaping @Sendable (Int) -> Void) async throws {
    let router = Router(context: PeerContext.self)
    let queue = queue
    let halfRead = HalfReadBytes()
    for path in ["/notifications", "/"] {
      router.post(RouterPath(path)) { request, _ in await Self.take(request, into: queue, counting: halfRead) }
    }
    router.get("/health") { _, _ in Response(status: await queue.isReady() ? .ok : .serviceUnavailable) }
    try await WebService.run(router, host: host, port: port, log: log) { isListening($0 ?? port) }
  }

  private static func take(_ request: Request, into queue: PostQueue, counting halfRead: HalfReadBytes) async -> Response {
    var body: [UInt8] = []
    defer { halfRead.release(body.count) }
    do {
      for try await part in request.body {
        guard body.count + part.readableBytes <= ServerLimits.bodyBytesMax else { return Response(status: .contentTooLarge) }
        guard halfRead.reserve(part.readableBytes) else { return Response(status: .serviceUnavailable) }
        body += part.readableBytesView
      }
    } catch {
      // The client has disconnected.
      return Response(status: .badRequest)
    }
    guard !body.isEmpty else { return Response(status: .badRequest) }
    switch await queue.store(body) {
    case .stored: return Response(status: .ok)
    case .refused: return Response(status: .serviceUnavailable)
    }
  }
}

private final class HalfReadBytes: Sendable {
  private let count = Mutex(0)

  /// Reserves memory for a number of bytes. Returns false if the limit would be exceeded.
  func reserve(_ bytes: Int) -> Bool {
    count.withLock { count in
      guard count + bytes <= ServerLimits.halfReadBytesMax else { return false }
      count += bytes
      return true
    }
  }

  func release(_ bytes: Int) { count.withLock { $0 -= bytes } }
}
