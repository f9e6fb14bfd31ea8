internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Glibc
internal import JobCore
internal import Jobs
internal import Postgres

struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Starts, stops, shows or opens the private PostgreSQL cluster; keeps the accounts of people.",
    subcommands: [Start.self, Stop.self, Status.self, Psql.self, DatabaseAccountsCommand.self, DistributeCommand.self])

  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: "Makes the cluster if needed and starts it.")
    func run() async throws { Output.write(line: try await Environment.cluster().start()) }
  }

  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stops the cluster; its data stays.")
    func run() async throws {
      try await Environment.cluster().stop()
      Output.write(line: "stopped")
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Says whether the cluster runs, and where it lies; exit status 2 when it must not be used as it is.")
    func run() async throws {
      let status = try await Environment.cluster().status()
      Output.write(line: "\(status)")
      if case .unusable = status { throw ExitStatusError(status: .error) }
    }
  }

  struct Psql: AsyncParsableCommand {
    private static let readerRole = "payrecon_reader"

    static let configuration = CommandConfiguration(
      commandName: "psql", abstract: "Opens psql on the database, to look: as payrecon_reader.",
      discussion: "--owner, as the first word, opens it as the login itself, which may change things.")
    @Argument(parsing: .captureForPassthrough, help: "--owner, and arguments for psql.") var arguments: [String] = []
    func run() async throws {
      // Passed through, `--help` would start the server just to show psql's help.
      if arguments.first == "--help" {
        Output.write(Array((Examples.added(to: DatabaseCommand.helpMessage(for: Self.self), of: "database psql") + "\n").utf8))
        return
      }
      let isOwner = arguments.first == "--owner"
      let conninfo = try await Environment.conninfo(createsCluster: false)
      let words = [conninfo, "-v", "ON_ERROR_STOP=1"] + arguments.dropFirst(isOwner ? 1 : 0).drop { $0 == "--" }
      let role = isOwner ? "" : " -c role=\(Self.readerRole)"
      let given = Environment.value("PGOPTIONS") ?? "-c search_path=payrecon,pg_catalog"
      unsafe setenv("PGOPTIONS", given + role, 1)
      let failure = ProgramLocation.replaceProcess(by: "psql", words)
      throw JobError("could not start psql: \(failure)", hint: "Install it: apt-get install postgresql-client.")
    }
  }
}

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
