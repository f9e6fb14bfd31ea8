package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemCalls
internal import UnixSignals

/// What every server of ours does alike: deadlines and caps on connections, an end that waits for requests under way.
package enum WebService {
  /// Serves until the process is told to stop; requests under way are finished, for a limited time.
  ///
  /// - Parameter isListening: told the port once it does.
  package static func run(
    _ router: Router<PeerContext>, host: String, port: Int, log: Logger,
    isListening: @escaping @Sendable (Int) -> Void
  ) async throws {
    try await run([application(router, .hostname(host, port: port), log) { isListening($0.localAddress?.port ?? port) }], log)
  }

  /// The same on a socket that the group of a proxy alone may open, and beside it on a port where one is wanted.
  ///
  /// - Parameter isListening: told the port, or nil for the socket, once it does.
  package static func run(
    _ router: Router<PeerContext>, socket: ProxySocket, host: String, port: Int?, log: Logger,
    isListening: @escaping @Sendable (Int?) -> Void
  ) async throws {
    let mask = SocketFile.closeNewFiles()
    let behind = application(router, .unixDomainSocket(path: socket.path), log) { _ in
      SocketFile.openNewFiles(mask)
      do throws(SystemFault) { try SocketFile.open(socket.path, to: socket.group) } catch {
        log.error("the socket stays closed to the proxy", metadata: ["path": "\(socket.path)", "cause": "\(SystemFault.text(error.code))"])
      }
      isListening(nil)
    }
    var all: [any Service] = [behind]
    if let port { all.append(application(router, .hostname(host, port: port), log) { isListening($0.localAddress?.port ?? port) }) }
    try await run(all, log)
  }

  private static func application(
    _ router: Router<PeerContext>, _ address: BindAddress, _ log: Logger, isListening: @escaping @Sendable (any Channel) -> Void
  ) -> some ApplicationProtocol {
    Application(
      router: router,
      server: .http1(configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [RequestDeadlinesInstaller()])),
      configuration: ApplicationConfiguration(
        address: address, serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(ServerLimits.connectionsMax, logger: log)),
      onServerRunning: { channel in isListening(channel) }, logger: log)
  }

  private static func run(_ applications: [any Service], _ log: Logger) async throws {
    var group = ServiceGroupConfiguration(
      services: applications, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    group.maximumGracefulShutdownDuration = ServerLimits.drainTime
    group.maximumCancellationDuration = ServerLimits.cancellationTime
    try await ServiceGroup(configuration: group).run()
  }
}

/// Where a proxy on this machine comes in.
package struct ProxySocket: Sendable {
  package var path: String
  /// Group that may open it; nil: that of this process.
  package var group: UInt32?

  package init(path: String, group: UInt32?) {
    self.path = path
    self.group = group
  }
}

/// What is known of a request beside its text: who is at the other end.
package struct PeerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Address of the peer without its port; empty where there is none.
  package let address: String
  /// Whether it came by the socket that a proxy alone may open.
  package let isByProxySocket: Bool

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress ?? ""
    isByProxySocket = source.channel.localAddress?.protocol == .unix
  }
}
