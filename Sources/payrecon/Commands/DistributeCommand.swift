internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Jobs

/// Distributes the large tables over the nodes of a Citus server.
struct DistributeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distribute",
    abstract: "Spreads the large tables over the nodes of a server of your own that has Citus; may be run again.",
    discussion: """
      Which tables, and by which column each, says distribution.csv in the SQL folder. The login has to be the server's \
      administrator; the roles that jobs run as may log in from then on, so let nodes admit them from each other alone. While it \
      runs nothing else may.
      """)
  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "distribute")
    for line in try await DistributeJob(context: context).run() { Output.write(line: "distribute: \(line)") }
  }
}
