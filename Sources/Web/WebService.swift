package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemCalls
internal import UnixSignals

/// Common parts of all servers: connection limits, deadlines and a graceful stop.
package enum WebService {
  /// Serves until the process is asked to stop. Open requests are then completed for a limited time.
  ///
  /// - Parameter isListening: called with the port once the server listens.
  package static func run(
    _ router: Router<PeerContext>, host: String, port: Int, log: Logger,
    isListening: @escaping @Sendable (Int) -> Void
  ) async throws {
    try await run([application(router, .hostname(host, port: port), log) { isListening($0.localAddress?.port ?? port) }], log)
  }

  /// Serves on a socket that only the proxy's group may open, and on a TCP port unless `port` is nil.
  ///
  /// - Parameter isListening: called for each listener, with the port, or with nil for the socket.
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
    var group = ServiceGroupConfiguration(services: applications, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    group.maximumGracefulShutdownDuration = ServerLimits.drainTime
    group.maximumCancellationDuration = ServerLimits.cancellationTime
    try await ServiceGroup(configuration: group).run()
  }
}

/// The Unix socket of a proxy on this machine.
package struct ProxySocket: Sendable {
  package var path: String
  /// Group that may open the socket; nil for this process's group.
  package var group: UInt32?

  package init(path: String, group: UInt32?) {
    self.path = path
    self.group = group
  }
}

package struct PeerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Address of the peer without its port; empty for none.
  package let address: String
  /// Whether the request arrived over the proxy's socket.
  package let isByProxySocket: Bool

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress ?? ""
    isByProxySocket = source.channel.localAddress?.protocol == .unix
  }
}
