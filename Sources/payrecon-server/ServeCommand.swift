internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Console
internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import SystemCalls
internal import Web

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Takes App Store Server Notifications, or serves the review console.",
    discussion: """
      The console is for people with an account: payrecon account add NAME --role analyst. Behind a TLS proxy give --tls, \
      so that browsers send its cookies over nothing else. A session ends after half an hour without a request, after \
      twelve hours, at log-out, and when its account is disabled.
      """)

  @Flag(help: "Take notifications, V2 and V1, at /notifications.")
  var notifications = false

  @Flag(help: "Serve the review console.")
  var console = false

  @Flag(help: "Browsers reach the console over TLS: its cookies are sent over nothing else.")
  var tls = false

  @Option(help: "Address of a proxy whose X-Forwarded-For is believed; may be given several times (default: none).")
  var proxy: [String] = []

  @Option(help: "Address to listen on; put a TLS proxy in front of it.")
  var host = "127.0.0.1"

  @Option(help: "Port to listen on; 0 takes a free one (default: 8080; none beside --socket).")
  var port: Int?

  @Option(help: "Socket on which an authenticating proxy comes in, made for its group alone.")
  var socket: String?

  @Option(help: "Group that may open the socket (default: this process's).")
  var socketGroup: String?

  @Option(help: "Header field in which the proxy names the account: believed over --socket alone, counted elsewhere.")
  var proxyHeader: String?

  @Option(help: "File with the key that payrecon account proxy-key made, its owner's alone (default: PAYRECON_PROXY_KEY).")
  var proxyKey: String?

  @OptionGroup var options: JobOptions

  private static let portDefault = 8080
  private static let keyBytesMax = 1024

  func validate() throws {
    guard notifications || console else { throw ValidationError("say what to serve: --notifications or --console") }
    guard !(notifications && console) else {
      throw ValidationError("serve --notifications and --console as two processes, each on a port of its own")
    }
    if socket != nil || proxyKey != nil {
      guard console, socket != nil, proxyHeader != nil, keyFile != nil else {
        throw ValidationError("--socket, --proxy-header and --proxy-key go together, with --console")
      }
    }
    if let name = proxy.first(where: { !NetworkAddress.isIP($0) }) {
      throw ValidationError("--proxy \"\(name)\" is no IP address, such as 127.0.0.1 or ::1")
    }
    guard console || proxy.isEmpty && !tls else { throw ValidationError("--proxy and --tls go with --console") }
    guard (0...65_535).contains(port ?? 0) else { throw ValidationError("--port is 0 to 65535") }
  }

  private var keyFile: String? { proxyKey ?? Environment.value(SecretFile.proxyKeyVariable) }

  func run() async throws {
    let context = try await options.context(label: "serve")
    guard !console else { return try await serveConsole(context) }
    Environment.warnWithoutSettings("every post is another app's", context)
    let queue = try PostQueue(context: context, now: { WallClock.now() }, revive: { try await Self.restartAfterCrash() })
    let host = host
    try await NotificationServer(queue: queue, log: context.log).run(host: host, port: port ?? Self.portDefault) { port in
      Output.write(line: "listening on http://\(host):\(port)/notifications")
    }
  }

  private static func restartAfterCrash() async throws {
    if Environment.usesPrivateCluster { try await Environment.cluster().restartAfterCrash() }
  }

  private func serveConsole(_ context: JobContext) async throws {
    let (start, began, host) = (context.asOf, WallClock.now(), host)
    // A given clock advances with the wall clock from the start.
    var settings = ConsoleSettings(isSecure: tls, proxies: Set(proxy))
    if context.settings.apps.contains(where: { $0.api?.keyFile != nil }) {
      settings.storeAccess = { try Environment.storeAccess($0) }
    }
    settings.identity = try identity()
    settings.revive = { try await Self.restartAfterCrash() }
    let server = ConsoleServer(context: context, settings: settings, log: context.log) {
      Timestamp(microseconds: start.microseconds + WallClock.now().microseconds - began.microseconds)
    }
    let (socket, port) = (socket, socket == nil ? port ?? Self.portDefault : port)
    try await server.run(host: host, port: port) { port in
      Output.write(line: port.map { "listening on http://\(host):\($0)/" } ?? "listening on \(socket ?? "")")
    }
  }

  /// Returns the settings of an authenticating proxy; nil for none.
  private func identity() throws -> ProxyIdentity? {
    guard let proxyHeader else { return nil }
    guard let identity = ProxyIdentity(header: proxyHeader) else {
      throw JobError("could not serve: no header field is called \"\(proxyHeader)\"", status: .usage)
    }
    guard let socket, let keyFile else { return identity }
    let group = try socketGroup.map { name in
      guard let group = SocketFile.group(name) else {
        throw JobError("could not serve: there is no group \"\(name)\"", status: .usage)
      }
      return group
    }
    if let mode = SecretFile.openMode(keyFile) {
      throw JobError(
        "refused to serve: the proxy's key in \"\(keyFile)\" can be read, mode \(mode), by others than its owner, who could act as "
          + "anybody", hint: "chmod 600 \(keyFile), and make a new one: payrecon account proxy-key.", status: .usage)
    }
    guard let bytes = try? LocalFile.contents(keyFile, bytesMax: Self.keyBytesMax),
      let key = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
    else { throw JobError("could not read the proxy's key in \"\(keyFile)\"", status: .usage) }
    return identity.over(socket: socket, key: String(key), group: group)
  }
}
