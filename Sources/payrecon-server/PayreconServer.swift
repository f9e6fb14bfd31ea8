internal import ArgumentParser
internal import CommandSupport

/// The commands that need an HTTP server; `payrecon` hands them over, so they are named and used like its own.
@main
struct PayreconServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payrecon", abstract: "The part of payrecon that serves.", version: Version.text,
    subcommands: [ServeCommand.self, SimulateCommand.self])

  static func main() async { await Terminal.run(Self.self) }
}

/// What can be run to test against.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Runs what payrecon can be tested against.", subcommands: [AppStoreCommand.self])
}
