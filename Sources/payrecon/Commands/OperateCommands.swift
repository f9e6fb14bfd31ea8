internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Glibc
internal import JobCore
internal import Jobs
internal import Postgres

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Makes and migrates the database; every other command does so too when needed.",
    discussion: "With --guide, writes a settings file instead.")
  @OptionGroup var guide: GuideOptions
  @OptionGroup var options: JobOptions
  func run() async throws {
    guard !guide.guide else { return try guide.run() }
    let context = try await options.context(label: "init", restoring: true)
    Output.write(line: "database ready, \(context.settings.apps.count) apps configured")
  }
}

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Checks settings, keys, roots, folders, disk, database, inputs and runs; says what to do.",
    discussion: "Prints every check, whatever the others found, and what is still to do before nights run by themselves. "
      + "Exit status 0 when all is fine, 2 when not, 75 when the database cannot be asked for now.")
  @Option(help: "File with the key of the console's proxy (default: PAYRECON_PROXY_KEY, else /etc/payrecon/proxy.key where it is).")
  var proxyKey: String?
  @OptionGroup var options: JobOptions

  private static let proxyKeyUsual = "/etc/payrecon/proxy.key"
  private var proxyKeyFile: String? {
    proxyKey ?? Environment.value(SecretFile.proxyKeyVariable) ?? (Environment.exists(Self.proxyKeyUsual) ? Self.proxyKeyUsual : nil)
  }

  func run() async throws {
    _ = try options.clock()
    var settings = JobSettings(rules: [])
    var settingsFault: String?
    do { settings = try Environment.settings() } catch { settingsFault = "\(error)" }
    let isPrivate = Environment.usesPrivateCluster
    let now = WallClock.now()
    var findings = DoctorFiles(
      settings: settings, now: now, rootsDirectory: Environment.value("PAYRECON_APPLE_ROOTS"),
      appleRootsFolders: Environment.appleRootsFolders(), stateDirectory: isPrivate ? Environment.stateDirectory() : nil,
      logDirectory: Environment.value("PAYRECON_LOGS_DIR"), proxyKeyFile: proxyKeyFile
    ).run(settingsFault: settingsFault)
    var status: ExitStatus = .error
    // A private database that does not exist has read nothing.
    let isNew = isPrivate && !Environment.exists("\(Environment.stateDirectory())/cluster")
    var progress = isNew ? DoctorSteps.Progress() : nil
    do {
      let context = try await options.context(label: "doctor", createsCluster: false)
      findings += try await DoctorJob(context: context).run(now: now)
      progress = try await DoctorSteps.progress(in: context)
    } catch {
      let isTemporary = (error as? PostgresError)?.isTemporary ?? (error as? ClusterError)?.isTemporary ?? false
      if isTemporary { status = .temporary }
      if settingsFault == nil { Output.writeError("payrecon: could not finish: \(error)") }
      findings += DoctorJob.unreachable("\(error)".replacing("\n", with: "; "), settingsFault: settingsFault, isNew: isNew)
    }
    for finding in findings { Output.write(line: finding.line) }
    if settingsFault == nil {
      for line in DoctorSteps(settings: settings, progress: progress).lines { Output.write(line: line) }
    }
    let faults = findings.filter { !$0.isFine }
    guard !faults.isEmpty else { return }
    throw ExitStatusError(status: faults.contains(where: \.isTemporary) ? .temporary : status)
  }
}

struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Shows the settings as they are read.", subcommands: [Show.self],
    defaultSubcommand: Show.self)

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows every setting as it is read, defaults included; never a secret.")
    @Flag(help: "Shows what differs from the last complete night instead; exit status 1 when something does.")
    var diff = false
    @OptionGroup var options: JobOptions

    func run() async throws {
      let settings = try Environment.settings()
      if let file = settings.file, settings.apps.isEmpty {
        throw JobError(
          "cannot use settings file \"\(file)\": it names no app, so nothing of Apple's is taken as ours",
          hint: "Name each app under apps, such as: apps: [{bundle_id: com.acme.reader}].", status: .usage)
      }
      if diff {
        let context = try await options.context(label: "settings", createsCluster: false)
        guard let difference = try await SettingsChange(context: context).run() else {
          Output.write(line: "no difference from the last complete night, or there was none")
          return
        }
        guard let changes = difference.changes else {
          for line in difference.lines { Output.write(line: line) }
          throw ExitStatusError(status: .breaks)
        }
        Output.write(line: "# since \(difference.runID)")
        for change in changes { Output.write(line: change) }
        throw ExitStatusError(status: .breaks)
      }
      Output.write(line: "# " + (settings.file.map { "read from \($0)" } ?? "no settings file: defaults"))
      for entry in settings.entries { Output.write(line: "\(entry.key): \(entry.value)") }
    }
  }
}

struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Starts, stops, shows or opens the private PostgreSQL cluster; keeps the accounts of people.",
    subcommands: [Start.self, Stop.self, Status.self, Psql.self, AccountsCommand.self, DistributeCommand.self])

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
    static let configuration = CommandConfiguration(
      abstract: "Says whether the cluster runs, and where it lies; exit status 2 when it must not be used as it is.")
    func run() async throws {
      let status = try await Environment.cluster().status()
      Output.write(line: "\(status)")
      if case .unusable = status { throw ExitStatusError(status: .error) }
    }
  }

  struct Psql: AsyncParsableCommand {
    private static let readerRole = "payrecon_reader"

    static let configuration = CommandConfiguration(
      abstract: "Opens psql on the database, to look: as payrecon_reader.",
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
