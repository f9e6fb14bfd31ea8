internal import NIOCore
internal import NIOHTTP1

/// Refuses a request without exactly one host, or with an expectation other than `100-continue`. Sends `100 Continue` to a client
/// that waits before its body.
///
/// - Source: RFC 9112, 3.2; RFC 9110, 10.1.1.
final class RequestHeadGate: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    if case .head(let head) = unwrapInboundIn(data) {
      if let refusal = Self.refusal(of: head) { return refuse(head, refusal, context) }
      if head.version == .http1_1, head.headers.contains(name: "expect") {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
      }
    }
    context.fireChannelRead(data)
  }

  /// Returns nil for an acceptable head.
  static func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
    let hosts = head.headers["host"]
    let hasOneHost = hosts.count == 1 && !hosts[0].contains(",")
    guard hasOneHost || (hosts.isEmpty && head.version == .http1_0) else { return .badRequest }
    let isExpected = head.headers["expect"].allSatisfy { $0.lowercased() == "100-continue" }
    return isExpected ? nil : .expectationFailed
  }

  private func refuse(_ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    isRefused = true
    let fields: HTTPHeaders = ["content-length": "0", "connection": "close"]
    context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

@available(*, unavailable)
extension RequestHeadGate: Sendable {}
