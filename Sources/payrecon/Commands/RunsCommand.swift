internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Jobs

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Lists runs, shows one, checks its reports, or says how two differ.",
    subcommands: [List.self, Windows.self, Show.self, Verify.self, Diff.self, Replay.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists runs, oldest first; with --limit the newest of them.")
    @OptionGroup var list: ListOptions
    func run() async throws { try await list.write(.runs) }
  }

  struct Windows: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "windows", abstract: "Lists the windows of scheduled jobs, oldest first; with --limit the newest of them.")
    @OptionGroup var list: ListOptions
    func run() async throws {
      try await list.write(RunsSQL.windowList, label: "runs", lastBy: ["scheduled_at", "job", "window_from"])
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one run: attempts, input, counts, breaks.")
    @Argument(help: "Run id, or its beginning.") var id: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let (context, whole) = try await options.resolving(id, .run, label: "runs")
      Output.write(line: try await RunDescription(context: context).text(runID: whole))
    }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Checks a report folder against its manifest, and the manifest against the ledger.")
    @Argument(help: "Folder of one report.") var directory: String
    @Flag(name: .customLong("folder-only"), help: "Asks no database, so a changed manifest is not noticed.")
    var isFolderOnly = false
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = isFolderOnly ? nil : try await options.context(label: "runs", createsCluster: false)
      let outcome = try await RunVerification(context: context).verify(directory: directory)
      for finding in outcome.findings { Output.write(line: "\(directory)/\(finding.file) \(finding.text)") }
      let proof =
        switch outcome.isManifestRecorded {
        case true?: "the ledger vouches for the manifest"
        case false?: "the ledger does not vouch for the manifest"
        case nil: "the ledger was not queried"
        }
      Output.write(line: "run \(outcome.runID): \(outcome.fileCount) files, \(outcome.findings.count) not as they were written; " + proof)
      if !outcome.findings.isEmpty { throw ExitStatusError(status: .breaks) }
    }
  }

  struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replay", abstract: "Writes the report of a finished run once more, as of its clock, and compares it byte for byte.")
    @Argument(help: "Run id, or its beginning.") var id: String
    @Option(help: "Folder with the run's report, where it was moved.") var report: String?
    @Option(help: "Folder that keeps the replayed report (default: a temporary one).") var out: String?
    @OptionGroup var options: JobOptions

    func run() async throws {
      let (context, id) = try await options.resolving(id, .run, label: "runs")
      let outcome = try await RunReplay(context: context).run(id, directory: report, out: out)
      for note in outcome.notes { Output.write(line: "# \(note)") }
      for finding in outcome.findings { Output.write(line: "\(finding.file) \(finding.text)") }
      Output.write(
        line: outcome.findings.isEmpty
          ? "run \(id): \(outcome.fileCount) files, the same byte for byte"
          : "run \(id): \(outcome.fileCount) files, \(outcome.findings.count) came out otherwise")
      if !outcome.findings.isEmpty { throw ExitStatusError(status: .breaks) }
    }
  }

  struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff", abstract: "Says how two report folders, or the breaks of two runs, differ, row by row and with cause.")
    @Argument(help: "Run id, its beginning, or a report folder.") var first: String
    @Argument(help: "Run id, its beginning, or a report folder.") var second: String
    @Flag(help: "Also lists rows of which only the age moved.") var all = false
    @OptionGroup var options: JobOptions

    func run() async throws {
      let missing = [first, second].filter { !Environment.exists("\($0)/manifest.json") }
      let outcome =
        switch missing.count {
        case 0: try RunDifference.compareFolders(first, second)
        case 1: try await compareNamedRuns(missing: missing[0])
        default: try await compareRuns()
        }
      for note in outcome.notes { Output.write(line: "# \(note)") }
      let rows = outcome.rows.filter { all || !$0.isAgeOnly }
      for row in rows {
        Output.write(line: "\(row.table) \(row.change) \(row.key) [\(row.cause)] \(row.detail)")
      }
      let aged = outcome.rows.count - rows.count
      Output.write(line: "# \(rows.count) rows differ\(aged > 0 ? ", and \(aged) only aged (--all)" : "")")
      if !outcome.isEqual { throw ExitStatusError(status: .breaks) }
    }

    private func compareRuns() async throws -> RunDifference.Outcome {
      let context = try await options.context(label: "runs", createsCluster: false)
      let ids = try await IDResolver(context: context).completed([first, second], among: [.run])
      return try await RunDifference.compareRuns(ids[0], ids[1], in: context)
    }

    /// Compares two runs if only one argument is a report folder. It may have the name of its run.
    ///
    /// - Parameter missing: the argument that is no report folder.
    /// - Throws: `JobError` about that argument, unless both are runs; the errors of the database as they are.
    private func compareNamedRuns(missing: String) async throws -> RunDifference.Outcome {
      if await Environment.hasDatabase() {
        do { return try await compareRuns() } catch is JobError {}
      }
      throw JobError(
        "could not compare \"\(first)\" with \"\(second)\": \"\(missing)\" is no report folder, because it has no manifest.json",
        hint: "Name two report folders, or two runs of payrecon runs list.")
    }
  }
}
