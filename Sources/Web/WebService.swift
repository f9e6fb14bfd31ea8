package import Hummingbird
internal import HummingbirdCore
internal import JobCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemCalls
internal import UnixSignals

/// Common parts of all servers: connection limits, deadlines and a graceful stop.
package enum WebService {
  /// Serves on a TCP port, on a socket that only the proxy's group may open, or on both, until the process is asked to stop. Open requests
  /// are then completed for a limited time.
  ///
  /// - Parameters:
  ///   - port: nil to serve only the socket.
  ///   - socket: nil to serve only the port.
  ///   - isListening: called for each listener, with the port, or with nil for the socket.
  package static func run(
    _ router: Router<PeerContext>, host: String, port: Int?, socket: ProxySocket? = nil, log: Logger,
    isListening: @escaping @Sendable (Int?) -> Void
  ) async throws {
    var listeners: [any Service] = []
    if let socket {
      let mask = SocketFile.restrictNewFiles()
      let application = application(router, .unixDomainSocket(path: socket.path), log) { _ in
        SocketFile.restoreMask(mask)
        do throws(SystemFault) { try SocketFile.open(socket.path, to: socket.group) } catch {
          log.error(
            "the socket stays closed to the proxy", metadata: ["path": "\(socket.path)", "cause": "\(SystemFault.text(error.code))"])
        }
        isListening(nil)
      }
      listeners.append(
        Listener(
          application: application, address: "socket \"\(socket.path)\"",
          hint: "Name a path in a folder of this account with --socket."))
    }
    if let port {
      let application = application(router, .hostname(host, port: port), log) { isListening($0.localAddress?.port ?? port) }
      listeners.append(
        Listener(
          application: application, address: "\"\(host)\", port \(port)",
          hint: "Give an address of this machine with --host, and a port that is free and allowed with --port; 0 takes a free one."))
    }
    var group = ServiceGroupConfiguration(services: listeners, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    group.maximumGracefulShutdownDuration = ServerLimits.drainTime
    group.maximumCancellationDuration = ServerLimits.cancellationTime
    try await ServiceGroup(configuration: group).run()
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
}

/// An application whose error names the address on which it cannot listen.
private struct Listener<Application: Service>: Service {
  let application: Application
  let address: String
  let hint: String

  func run() async throws {
    do { try await application.run() } catch let error as IOError where SystemFault.isOfAddress(error.errnoCode) {
      throw fault(SystemFault.text(error.errnoCode))
    } catch is SocketAddressError.UnknownHost {
      throw fault("the host is not known")
    }
  }

  private func fault(_ reason: String) -> JobError { JobError("could not listen on \(address): \(reason)", hint: hint) }
}

/// The Unix socket of a proxy on this machine.
package struct ProxySocket: Sendable {
  package var path: String
  /// Group that may open the socket; nil for this process's group.
  package var group: UInt32?

  package init(path: String, group: UInt32?) { (self.path, self.group) = (path, group) }
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
