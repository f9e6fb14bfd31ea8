internal import NIOCore

/// How long and how much the server lets anybody keep of it.
enum ServerLimits {
  /// Largest body that is taken; Apple's have some kilobytes.
  static let bodyBytesMax = 1 << 20
  /// Bytes of bodies that have not yet come whole, of all connections together.
  static let halfReadBytesMax = 64 << 20
  /// Connections at once; more wait to be taken. Below the 1,024 open files that a process has by default.
  static let connectionsMax = 512
  /// From the opening of a connection to the end of its first request's headers.
  static let headerTime = TimeAmount.seconds(10)
  /// From the end of the headers to the end of the body.
  static let bodyTime = TimeAmount.seconds(15)
  /// From an answer to the end of the next request's headers.
  static let idleTime = TimeAmount.seconds(60)
  /// From the last answer of a connection to its end, so that the client has read the answer.
  static let lingerTime = TimeAmount.milliseconds(500)
  /// For requests under way, once the process is told to end.
  static let drainTime = Duration.seconds(10)
  /// For what does not end by itself after that.
  static let cancellationTime = Duration.seconds(2)
}
