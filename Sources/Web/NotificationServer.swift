internal import Hummingbird
public import Jobs
public import Logging
internal import NIOCore

/// The endpoint that Apple posts notifications to.
///
/// 200 says that the bytes are on disk; 503 makes Apple send them again. Whether they are genuine is for the batch:
/// a forgery is answered like the rest, and is quarantined by its verdict.
public struct NotificationServer: Sendable {
  private let queue: PostQueue
  private let log: Logger

  /// Largest body that is taken; Apple's have some kilobytes.
  public static let bodyBytesMax = 1 << 20

  public init(queue: PostQueue, log: Logger) {
    self.queue = queue
    self.log = log
  }

  /// Serves until the process is told to stop; requests under way are finished.
  ///
  /// - Parameter isListening: told the port once it does.
  public func run(host: String, port: Int, isListening: @escaping @Sendable (Int) -> Void) async throws {
    let router = Router()
    let queue = queue
    for path in ["/notifications", "/"] {
      router.post(RouterPath(path)) { request, _ in try await Self.take(request, into: queue) }
    }
    router.get("/health") { _, _ in
      Response(status: await queue.isReady() ? .ok : .serviceUnavailable)
    }
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
      onServerRunning: { channel in isListening(channel.localAddress?.port ?? port) }, logger: log)
    try await application.runService()
  }

  private static func take(_ request: Request, into queue: PostQueue) async throws -> Response {
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: bodyBytesMax)
    } catch is NIOTooManyBytesError {
      return Response(status: .contentTooLarge)
    }
    guard buffer.readableBytes > 0 else { return Response(status: .badRequest) }
    switch await queue.store(Array(buffer.readableBytesView)) {
    case .stored: return Response(status: .ok)
    case .refused: return Response(status: .serviceUnavailable)
    }
  }
}
