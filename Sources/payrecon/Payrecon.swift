internal import ArgumentParser
internal import Domain
internal import Glibc
internal import Jobs
internal import Postgres

@main
struct Payrecon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payrecon",
    abstract: "Matches Apple's signed transactions to internal orders, and finds every difference.",
    discussion: """
      Data goes to standard output, logs to standard error. Exit status: 0 clean or pending only, 1 breaks at or over \
      the threshold, 2 error, 3 incomplete (missing or late input), 4 lock held, 64 usage, 75 temporary.
      """,
    version: Version.text,
    subcommands: [
      InitCommand.self, DoctorCommand.self, IngestCommand.self, CollectCommand.self, MatchCommand.self, DetectCommand.self,
      RenewalsCommand.self, ReportCommand.self, ExportCommand.self, NightlyCommand.self, RunDueCommand.self,
      RunJobCommand.self, BackfillCommand.self, BreaksCommand.self, QueueCommand.self, ListsCommand.self,
      RulesCommand.self, LookupCommand.self,
      DeadletterCommand.self, RunsCommand.self, AuditCommand.self, EraseCommand.self, RetainCommand.self, ServeCommand.self, DatabaseCommand.self, SimulateCommand.self,
    ])

  static func main() async {
    // A reader that went away (`| head`) is a write error, not a reason to die silently.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch let status as ExitStatusError {
      Terminal.exit(status.status)
    } catch {
      Terminal.fail(error)
    }
  }
}

/// Version of the code, which every run records.
enum Version { static let text = "0.1.0" }

/// Carries an exit status that is no failure of the program: breaks, incomplete input.
struct ExitStatusError: Error { var status: ExitStatus }

/// The one place that words failures and ends the process.
enum Terminal {
  static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

  static func fail(_ error: any Error) -> Never {
    switch error {
    case let failure as JobError:
      complain(failure.description)
      exit(failure.status)
    case let failure as SettingsError:
      complain(failure.description)
      exit(.usage)
    case let failure as PostgresError:
      complain("could not finish: \(failure)")
      exit(failure.isTemporary ? .temporary : .error)
    case let failure as ClusterError:
      complain([failure.message, failure.hint].compactMap { $0 }.joined(separator: "\n"))
      exit(.error)
    case let failure as MigrationError:
      complain(failure.description)
      exit(.error)
    default:
      let code = Payrecon.exitCode(for: error)
      let text = Payrecon.fullMessage(for: error)
      if code == .success {
        Output.write(Array((text + "\n").utf8))
        exit(.clean)
      }
      if code == .validationFailure {
        Output.complain(text)
        exit(.usage)
      }
      complain("could not finish: \(error)")
      exit(.error)
    }
  }

  private static func complain(_ text: String) { Output.complain("payrecon: \(text)") }
}
