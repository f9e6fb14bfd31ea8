internal import ArgumentParser
internal import CommandSupport

/// The commands that need an HTTP server. `payrecon` starts them under the same names and options.
@main
struct PayreconServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payrecon", abstract: "The part of payrecon that serves.", version: Version.withCommit,
    subcommands: [ServeCommand.self, SimulateCommand.self])

  static func main() async { await Terminal.run(Self.self) }
}

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Runs what payrecon can be tested against.", subcommands: [AppStoreCommand.self])
}
