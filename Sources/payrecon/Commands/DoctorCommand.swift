internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Jobs
internal import Postgres

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Checks settings, keys, roots, folders, disk, database, inputs and runs; says what to do.",
    discussion: "Prints every check, whatever the others found, and what is still to do before nights run by themselves. "
      + "Exit status 0 when all is fine, 2 when not, 64 when the database refuses the password, 75 when it cannot be asked for now.")
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
      let isAboutPassword = (error as? PostgresError)?.isAboutPassword ?? false
      let isTemporary = (error as? PostgresError)?.isTemporary ?? (error as? ClusterError)?.isTemporary ?? false
      let isAboutAddress = (error as? PostgresError)?.isAboutAddress ?? false
      if isAboutAddress { status = .usage } else if isTemporary { status = .temporary }
      if settingsFault == nil { Terminal.report("could not finish: \(error)") }
      findings += DoctorJob.unreachable(
        "\(error)".replacing("\n", with: "; "), settingsFault: settingsFault, isNew: isNew,
        cure: isAboutPassword ? "give the account's password in PGPASSWORD, or in the file that PGPASSFILE names" : nil)
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
