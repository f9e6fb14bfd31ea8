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
  /// Serves until the process is asked to stop. Open requests are then completed for a limited time.
  ///
  /// - Parameter isListening: called with the port once the server listens.
  package static func run(
    _ router: Router<PeerContext>, host: String, port: Int, log: Logger,
    isListening: @escaping @Sendable (Int) -> Void
  ) async throws {
    try await run([application(router, .port(port, host: host), log) { isListening($0.localAddress?.port ?? port) }], log)
  }

  /// Serves on a socket that only the proxy's group may open, and on a TCP port unless `port` is nil.
  ///
  /// - Parameter isListening: called for each listener, with the port, or with nil for the socket.
  package static func run(
    _ router: Router<PeerContext>, socket: ProxySocket, host: String, port: Int?, log: Logger,
    isListening: @escaping @Sendable (Int?) -> Void
  ) async throws {
    let mask = SocketFile.restrictNewFiles()
    let behind = application(router, .socket(path: socket.path), log) { _ in
      SocketFile.restoreMask(mask)
      do throws(SystemFault) { try SocketFile.open(socket.path, to: socket.group) } catch {
        log.error("the socket stays closed to the proxy", metadata: ["path": "\(socket.path)", "cause": "\(SystemFault.text(error.code))"])
      }
      isListening(nil)
    }
    var all: [any Service] = [behind]
    if let port { all.append(application(router, .port(port, host: host), log) { isListening($0.localAddress?.port ?? port) }) }
    try await run(all, log)
  }

  private static func application(
    _ router: Router<PeerContext>, _ address: ListenAddress, _ log: Logger, isListening: @escaping @Sendable (any Channel) -> Void
  ) -> any Service {
    let application = Application(
      router: router,
      server: .http1(configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [RequestDeadlinesInstaller()])),
      configuration: ApplicationConfiguration(
        address: address.bindAddress, serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(ServerLimits.connectionsMax, logger: log)),
      onServerRunning: { channel in isListening(channel) }, logger: log)
    return Listener(application: application, address: address)
  }

  private static func run(_ applications: [any Service], _ log: Logger) async throws {
    var group = ServiceGroupConfiguration(services: applications, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    group.maximumGracefulShutdownDuration = ServerLimits.drainTime
    group.maximumCancellationDuration = ServerLimits.cancellationTime
    try await ServiceGroup(configuration: group).run()
  }
}

/// An application whose error names the address on which it cannot listen.
private struct Listener<Application: Service>: Service {
  let application: Application
  let address: ListenAddress

  func run() async throws {
    do { try await application.run() } catch let error as IOError where SystemFault.isOfAddress(error.errnoCode) {
      throw fault(SystemFault.text(error.errnoCode))
    } catch is SocketAddressError.UnknownHost {
      throw fault("the host is not known")
    }
  }

  private func fault(_ reason: String) -> JobError {
    switch address {
    case .port(let port, let host):
      JobError(
        "could not listen on \"\(host)\", port \(port): \(reason)",
        hint: "Give an address of this machine with --host, and a port that is free and allowed with --port; 0 takes a free one.")
    case .socket(let path):
      JobError("could not listen on socket \"\(path)\": \(reason)", hint: "Name a path in a folder of this account with --socket.")
    }
  }
}

private enum ListenAddress {
  case port(Int, host: String)
  case socket(path: String)

  var bindAddress: BindAddress {
    switch self {
    case .port(let port, let host): .hostname(host, port: port)
    case .socket(let path): .unixDomainSocket(path: path)
    }
  }
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
