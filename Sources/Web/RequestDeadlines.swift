internal import NIOCore
internal import NIOHTTP1

/// Closes the connection of a slow client, and of every client after an HTTP/1.0 request.
///
/// Each deadline is absolute: an occasional byte does not extend it.
final class RequestDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var deadline: Scheduled<Void>?
  private var isLastRequest = false

  func handlerAdded(context: ChannelHandlerContext) { close(context, in: ServerLimits.headerTime) }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(var head):
      close(context, in: ServerLimits.bodyTime)
      isLastRequest = !head.isKeepAlive || head.version != .http1_1
      // The later handlers ignore the version and other spellings of the field.
      if isLastRequest { head.headers.replaceOrAdd(name: "connection", value: "close") }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      // The response has a separate deadline.
      deadline?.cancel()
      context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      close(context, in: isLastRequest ? ServerLimits.lingerTime : ServerLimits.idleTime)
    }
    context.write(data, promise: promise)
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}

@available(*, unavailable)
extension RequestDeadlines: Sendable {}

/// Installs the deadlines directly behind the decoder, where versions and single parts are visible.
///
/// The framework itself adds handlers only further back.
final class RequestDeadlinesInstaller: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let deadlines = RequestDeadlines()
      try pipeline.addHandler(deadlines, position: .after(decoder))
      try pipeline.addHandler(RequestHeadGate(), position: .after(deadlines))
    } catch {
      // A connection without deadlines is not served.
      context.close(promise: nil)
    }
  }
}

@available(*, unavailable)
extension RequestDeadlinesInstaller: Sendable {}
