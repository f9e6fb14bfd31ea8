internal import NIOCore

enum ServerLimits {
  /// Largest request body, in bytes. Apple's have a few kilobytes.
  static let bodyBytesMax = 1 << 20
  /// Bytes of incomplete bodies, over all connections.
  static let halfReadBytesMax = 64 << 20
  /// Concurrent connections; further ones are queued. Below the default limit of 1,024 open files per process.
  static let connectionsMax = 512
  /// From the opening of a connection to the end of its first request's headers.
  static let headerTime = TimeAmount.seconds(10)
  /// From the end of the headers to the end of the body.
  static let bodyTime = TimeAmount.seconds(15)
  /// From a response to the end of the next request's headers.
  static let idleTime = TimeAmount.seconds(60)
  /// From the last response to the closing of the connection, so that the client can read the response.
  static let lingerTime = TimeAmount.milliseconds(500)
  /// Time to complete open requests after the process is asked to stop.
  static let drainTime = Duration.seconds(10)
  /// Additional time for tasks to end after their cancellation.
  static let cancellationTime = Duration.seconds(2)
}
