internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// The simulator's HTTP server.
final class RunningServer: Sendable {
  /// Maximum size of a request body: a request of Apple's API has some hundred bytes, a receipt some megabytes.
  private static let bodyMax = 16 << 20

  let port: Int
  private let task: Task<Void, any Error>

  private init(port: Int, task: Task<Void, any Error>) {
    self.port = port
    self.task = task
  }

  /// Starts listening on 127.0.0.1 and returns once the port is open.
  static func start(port: Int, answer: @escaping @Sendable (StoreRequest) async -> StoreResponse) async throws -> RunningServer {
    let (ports, found) = AsyncStream<Int>.makeStream()
    let responder = CallbackResponder<BasicRequestContext> { request, _ in
      try await Self.respond(to: request, answer: answer)
    }
    // Connections that a script or a stop closes are expected, so they are not logged; real failures are thrown.
    let logger = Logger(label: "appstore-simulator") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
      responder: responder,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { channel in
        found.yield(channel.localAddress?.port ?? 0)
        found.finish()
      },
      logger: logger)
    let task = Task {
      defer { found.finish() }
      try await application.run()
    }
    for await bound in ports { return RunningServer(port: bound, task: task) }
    do {
      try await task.value
      throw StoreError("could not listen on 127.0.0.1:\(port): the server ended at once")
    } catch {
      throw StoreError("could not listen on 127.0.0.1:\(port): \(error)")
    }
  }

  func stop() async {
    task.cancel()
    await wait()
  }

  func wait() async { _ = await task.result }

  private static func respond(to request: Request, answer: @Sendable (StoreRequest) async -> StoreResponse) async throws -> Response {
    let buffer = try await request.body.collect(upTo: bodyMax)
    let response = await answer(
      StoreRequest(
        method: request.method.rawValue, path: URLComponents(string: request.uri.path)?.path ?? request.uri.path,
        query: request.uri.queryParameters.map { (String($0.key), String($0.value)) },
        authorization: request.headers[.authorization], body: Array(buffer.readableBytesView)))
    var headers = HTTPFields()
    for (name, value) in response.headers {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    return Response(status: HTTPResponse.Status(code: response.status), headers: headers, body: body(of: response))
  }

  private static func body(of response: StoreResponse) -> ResponseBody {
    let bytes = response.body
    switch response.pace {
    case .whole: return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    case .slow(let size, let pause):
      // Without a length, the client waits for the end of an empty body, too.
      return ResponseBody(contentLength: bytes.isEmpty ? nil : bytes.count) { writer in
        for start in stride(from: 0, to: max(1, bytes.count), by: size) {
          try await Task.sleep(for: .milliseconds(pause))
          try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
        }
        try await writer.finish(nil)
      }
    case .cut(let after):
      // An empty body is announced longer, so that the cut is one.
      return ResponseBody(contentLength: max(bytes.count, after + 1)) { writer in
        try await writer.write(ByteBuffer(bytes: bytes.prefix(after)))
        // Throwing while the body is written makes the server close the connection.
        throw StoreError("cut the connection as the script says")
      }
    }
  }
}
