internal import NIOCore
internal import NIOHTTP1

/// Closes a connection whose client keeps a request waiting, and after an HTTP/1.0 request.
///
/// Each deadline is absolute: a byte now and then does not move it.
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
      // What comes behind knows neither versions nor other spellings.
      if isLastRequest { head.headers.replaceOrAdd(name: "connection", value: "close") }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body:
      context.fireChannelRead(data)
    case .end:
      // The answer has a deadline of its own.
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

/// Puts the deadlines where versions and single parts are still seen: right behind the decoder.
///
/// The framework lets handlers in only further back.
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
      // A connection without deadlines is none.
      context.close(promise: nil)
    }
  }
}

@available(*, unavailable)
extension RequestDeadlinesInstaller: Sendable {}
