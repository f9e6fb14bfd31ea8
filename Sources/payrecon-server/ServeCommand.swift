internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import Web

/// Serves what others call.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Takes App Store Server Notifications: stores them before it answers.")

  @Flag(help: "Take notifications, V2 and V1, at /notifications.")
  var notifications = false

  @Option(help: "Address to listen on; put a TLS proxy in front of it.")
  var host = "127.0.0.1"

  @Option(help: "Port to listen on; 0 takes a free one.")
  var port = 8080

  @OptionGroup var options: JobOptions

  func validate() throws {
    guard notifications else { throw ValidationError("say what to serve: --notifications") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535") }
  }

  func run() async throws {
    let context = try await options.context(label: "serve")
    if try Environment.settings().file == nil {
      context.log.warning("no settings file: every post is another app's", metadata: ["hint": "name it in PAYRECON_CONFIG"])
    }
    let queue = try PostQueue(
      context: context, now: { WallClock.now() },
      revive: { if Environment.usesPrivateCluster { try await Environment.cluster().revive() } })
    let host = host
    try await NotificationServer(queue: queue, log: context.log).run(host: host, port: port) { port in
      Output.write(line: "listening on http://\(host):\(port)/notifications")
    }
  }
}
