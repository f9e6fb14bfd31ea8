package import ArgumentParser
package import Domain
internal import Glibc
package import JobCore
internal import Postgres

/// Version of the code, which every run records.
package enum Version { package static let text = "0.1.0" }

/// Carries an exit status that is no failure of the program: breaks, incomplete input.
package struct ExitStatusError: Error {
  package var status: ExitStatus
  package init(status: ExitStatus) { self.status = status }
}

/// The one place that runs a command line, words its failures and ends the process.
package enum Terminal {
  /// Parses the arguments, runs the command they name, and exits with its status when that is not 0.
  package static func run<Root: ParsableCommand>(_ root: Root.Type) async {
    // A reader that went away is seen where the write fails: only standard output ends the program by it, no connection.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try Root.parseAsRoot(asked(Array(CommandLine.arguments.dropFirst())))
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch let status as ExitStatusError {
      exit(status.status)
    } catch {
      fail(error, of: Root.self)
    }
  }

  /// The arguments, `help COMMAND` as `COMMAND --help`: the server program has the help of its commands.
  private static func asked(_ arguments: [String]) -> [String] {
    guard arguments.first == "help", arguments.count > 1 else { return arguments }
    return arguments.dropFirst() + ["--help"]
  }

  /// Says what failed and exits with the status that belongs to it.
  package static func fail(_ failure: JobError) -> Never {
    complain(failure.description)
    exit(failure.status)
  }

  private static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

  private static func fail<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Never {
    switch error {
    case let failure as JobError:
      fail(failure)
    case let failure as SettingsError:
      complain(failure.description)
      exit(.usage)
    case let failure as PostgresError:
      complain("could not finish: \(failure)")
      guard failure.isAboutPassword else { exit(failure.isTemporary ? .temporary : .error) }
      complain("Give the account's password in PGPASSWORD, or in the file that PGPASSFILE names.")
      exit(.usage)
    case let failure as ClusterError:
      complain([failure.message, failure.hint].compactMap { $0 }.joined(separator: "\n"))
      exit(.error)
    case let failure as MigrationError:
      complain(failure.description)
      exit(.error)
    default:
      say(error, of: root)
    }
  }

  /// Words what the argument parser has to say: help, a version, a mistake on the command line.
  private static func say<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Never {
    let code = Root.exitCode(for: error)
    let text = Root.fullMessage(for: error)
    if code == .success {
      Output.write(Array((Examples.added(to: text) + "\n").utf8))
      exit(.clean)
    }
    if code == .validationFailure {
      Output.complain(text)
      if let meant = Suggestion.of(CommandLine.arguments.dropFirst(), in: root) { Output.complain("Did you mean '\(meant)'?") }
      exit(.usage)
    }
    complain("could not finish: \(error)")
    exit(.error)
  }

  private static func complain(_ text: String) { Output.complain("payrecon: \(text)") }
}
