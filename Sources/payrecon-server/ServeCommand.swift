internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Console
internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import Web

/// Serves what others call.
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

  @Option(help: "Port to listen on; 0 takes a free one.")
  var port = 8080

  @OptionGroup var options: JobOptions

  func validate() throws {
    guard notifications || console else { throw ValidationError("say what to serve: --notifications or --console") }
    guard !(notifications && console) else {
      throw ValidationError("serve --notifications and --console as two processes, each on a port of its own")
    }
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535") }
  }

  func run() async throws {
    let context = try await options.context(label: "serve")
    guard !console else { return try await serveConsole(context) }
    try Environment.warnWithoutSettings("every post is another app's", context)
    let queue = try PostQueue(
      context: context, now: { WallClock.now() },
      revive: { if Environment.usesPrivateCluster { try await Environment.cluster().revive() } })
    let host = host
    try await NotificationServer(queue: queue, log: context.log).run(host: host, port: port) { port in
      Output.write(line: "listening on http://\(host):\(port)/notifications")
    }
  }

  private func serveConsole(_ context: JobContext) async throws {
    let (start, began, host) = (context.asOf, WallClock.now(), host)
    // A clock that was given goes on from there.
    var settings = ConsoleSettings(isSecure: tls, proxies: Set(proxy))
    if context.settings.apps.contains(where: { $0.api?.keyFile != nil }) {
      settings.storeAccess = { try Environment.storeAccess($0) }
    }
    let server = ConsoleServer(context: context, settings: settings, log: context.log) {
      Timestamp(microseconds: start.microseconds + WallClock.now().microseconds - began.microseconds)
    }
    try await server.run(host: host, port: port) { port in Output.write(line: "listening on http://\(host):\(port)/") }
  }
}
