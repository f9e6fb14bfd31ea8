package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
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
    let application = Application(
      router: router,
      server: .http1(configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [RequestDeadlinesInstaller()])),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(ServerLimits.connectionsMax, logger: log)),
      onServerRunning: { channel in isListening(channel.localAddress?.port ?? port) }, logger: log)
    var group = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    group.maximumGracefulShutdownDuration = ServerLimits.drainTime
    group.maximumCancellationDuration = ServerLimits.cancellationTime
    try await ServiceGroup(configuration: group).run()
  }
}

/// What is known of a request beside its text: who is at the other end.
package struct PeerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Address of the peer without its port; empty where there is none.
  package let address: String

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress ?? ""
  }
}
