internal import AppStoreSimulator
internal import ArgumentParser
internal import FoundationEssentials
internal import Domain
internal import Glibc
internal import Jobs
internal import Postgres
internal import Simulation

/// Makes the database ready.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Makes and migrates the database; every other command does so too when needed.")
  @OptionGroup var options: JobOptions
  func run() async throws {
    let context = try await options.context(label: "init")
    Output.write(line: "database ready, \(context.settings.apps.count) apps configured")
  }
}

/// Checks what payrecon needs, and says what to do.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Checks settings, roots, database and inputs; says what to do.")
  @OptionGroup var options: JobOptions
  func run() async throws {
    let context = try await options.context(label: "doctor")
    let findings = try await DoctorJob(context: context).run()
    for finding in findings {
      Output.write(line: "\(finding.isFine ? "ok    " : "fault ")\(finding.check): \(finding.text)")
    }
    if findings.contains(where: { !$0.isFine }) { throw ExitStatusError(status: .error) }
  }
}

/// Runs the private PostgreSQL cluster by hand.
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database", abstract: "Starts, stops, shows or opens the private PostgreSQL cluster.",
    subcommands: [Start.self, Stop.self, Status.self, Psql.self])

  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes the cluster if needed and starts it.")
    func run() async throws { Output.write(line: try await Environment.cluster().start()) }
  }

  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Stops the cluster; its data stays.")
    func run() async throws {
      try await Environment.cluster().stop()
      Output.write(line: "stopped")
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Says whether the cluster runs, and where it lies.")
    func run() async throws { Output.write(line: "\(try await Environment.cluster().status())") }
  }

  struct Psql: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Opens psql on the database.")
    @Argument(parsing: .captureForPassthrough, help: "Arguments for psql.") var arguments: [String] = []
    func run() async throws {
      let conninfo = try await Environment.conninfo()
      let words = ["psql", conninfo, "-v", "ON_ERROR_STOP=1"] + arguments.drop { $0 == "--" }
      unsafe setenv("PGOPTIONS", "-c search_path=payrecon,pg_catalog", 0)
      var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
      unsafe pointers.append(nil)
      unsafe execvp("psql", &pointers)
      throw JobError(
        "could not start psql: \(unsafe String(cString: strerror(errno)))",
        hint: "Install it: apt-get install postgresql-client.")
    }
  }
}

/// Makes test data.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Makes a believable world to try payrecon on.",
    subcommands: [WorldCommand.self, AppStoreCommand.self, BenchCommand.self])

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

  struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bench", abstract: "Writes plain orders and as many signed transactions, to measure speed with.")
    @Option(help: "Same seed, same bytes.") var seed: UInt64 = 1
    @Option(help: "Orders, and as many charges.") var charges = 1_000_000
    @Option(help: "Folder to write to.") var out: String
    func run() async throws { try await World.writeBench(seed: seed, charges: charges, directory: out) }
  }

  struct WorldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "world", abstract: "Writes a fortnight of two apps with every break class planted, and the truth.")
    @Option(help: "Same seed, same bytes.") var seed: UInt64 = 1
    @Option(help: "Order rows.") var orders = 2000
    @Flag(help: "Wrong clocks, lost tokens, shared devices, late and missing notifications.") var noise = false
    @Option(help: "Folder to write to.") var out: String
    func run() async throws {
      let summary = try await World.write(
        seed: seed, orders: orders, directory: out, noise: noise ? .usual : .none)
      Output.write(line: "\(summary)")
    }
  }
}
