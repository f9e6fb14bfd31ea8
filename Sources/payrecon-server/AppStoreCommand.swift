internal import AppStoreSimulator
internal import ArgumentParser
internal import CommandSupport
internal import FoundationEssentials

struct AppStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appstore",
    abstract: "Runs an App Store to test against: server API, verifyReceipt, notifications, a clock to move.",
    discussion: "PAYRECON_APPSTORE_URL=URL/production and PAYRECON_APPSTORE_SANDBOX_URL=URL/sandbox point at it.")
  @Option(help: "Same seed, same ids and certificates.") var seed: UInt64 = 1
  @Option(help: "Port on 127.0.0.1; 0 takes a free one.") var port = 0
  @Option(name: .customLong("root"), help: "File to write the root certificate to.") var root: String?
  func run() async throws {
    let store = try await AppStoreSimulator.start(AppStoreSimulator.Configuration(seed: seed), port: port)
    if let root { try Data(store.rootDER).write(to: URL(filePath: root)) }
    Output.write(line: "listening on http://127.0.0.1:\(store.port)")
    await store.wait()
  }
}
