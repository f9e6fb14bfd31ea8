package import ArgumentParser
internal import CVersion
package import Domain
internal import Glibc
package import JobCore
internal import Logging
internal import Postgres
internal import SystemCalls

package enum Version {
  /// Version of the code, recorded by every run.
  package static let text = "0.1.0"
  /// The version and, if it was built in a clone, the commit: `0.1.0 (1a2b3c4d5e6f)`; with a plus sign if files were changed.
  package static var withCommit: String {
    let commit = unsafe String(cString: built_commit())
    return commit.isEmpty ? text : "\(text) (\(commit))"
  }
}

/// An exit status that is not a program failure, as for breaks or incomplete input.
package struct ExitStatusError: Error {
  package var status: ExitStatus
  package init(status: ExitStatus) { self.status = status }

  /// Ends the command with the status of a verdict, unless that is clean.
  package static func check(_ verdict: Verdict) throws {
    if verdict.exitStatus != .clean { throw ExitStatusError(status: verdict.exitStatus) }
  }
}

package enum Terminal {
  /// Parses the arguments, runs the command, and exits with its status unless that is 0.
  package static func run<Root: ParsableCommand>(_ root: Root.Type) async {
    // Failed writes report a closed pipe. Only standard output ends the program on one; a connection does not.
    signal(SIGPIPE, SIG_IGN)
    Machine.returnLargeBlocks()
    do {
      var command = try Root.parseAsRoot(withHelpAsFlag(Array(CommandLine.arguments.dropFirst()), of: root))
      if var asyncCommand = command as? any AsyncParsableCommand {
        requireResources()
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

  /// Rewrites `help COMMAND` as `COMMAND --help`, because the server program has the help of its commands.
  /// An unknown command stays alone, which is an error.
  private static func withHelpAsFlag(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
    guard arguments.first == "help", arguments.count > 1 else { return arguments }
    let isKnown = root.configuration.subcommands.contains { $0._commandName == arguments[1] }
    return arguments.dropFirst() + (isKnown ? ["--help"] : [])
  }

  /// Address space for a job's allocations, in addition to its threads' stacks.
  private static let bytesMin = 512 << 20

  /// Exits with status 75 if threads or memory are insufficient, because the runtime would otherwise wait forever.
  private static func requireResources() {
    // Threads of the runtime and the web server, and one per session.
    let threads = 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 12
    switch ProcessResources.missing(threads: threads, bytes: bytesMin) {
    case .threads:
      report("could not start: the system gives this process fewer than \(threads) threads (see ulimit -u); try again with more")
      exit(.temporary)
    case .memory:
      report(
        "could not start: the system gives this process less than \(bytesMin >> 20) MB of memory and \(threads) stacks (see "
          + "ulimit -v); try again with more")
      exit(.temporary)
    case nil:
      ProcessResources.watch {
        Terminal.report("could not go on: the system gives this process no further thread (see ulimit -u and -v); try again")
        _exit(ExitStatus.temporary.rawValue)
      }
    }
  }

  package static func fail(_ failure: JobError) -> Never {
    report(failure.message, hint: failure.hint)
    exit(failure.status)
  }

  private static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

  private static func fail<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Never {
    switch error {
    case let failure as JobError: fail(failure)
    case let failure as SettingsError:
      report(failure.description)
      exit(.usage)
    case let failure as PostgresError:
      let hint: String? =
        if failure.isAboutPassword {
          "Give the account's password in PGPASSWORD, or in the file that PGPASSFILE names."
        } else if failure.isAboutAddress {
          "Correct PAYRECON_DATABASE_URL until psql connects with it."
        } else if failure.isAboutPermission {
          "The database login lacks a right that this command needs. The page Roles lists the roles; an administrator grants them."
        } else if failure.isAboutDisk {
          "Free space on the disk of the database, then start again: it goes on where it stopped."
        } else {
          nil
        }
      report("could not finish: \(failure)", hint: hint)
      exit(failure.isAboutAddress ? .usage : failure.isTemporary ? .temporary : .error)
    case let failure as ClusterError:
      report(failure.message, hint: failure.hint)
      exit(failure.isTemporary ? .temporary : .error)
    case let failure as MigrationError:
      report(failure.description)
      exit(.error)
    default: exitByParser(error, of: root)
    }
  }

  private static func exitByParser<Root: ParsableCommand>(_ error: any Error, of root: Root.Type) -> Never {
    let code = Root.exitCode(for: error)
    let text = Root.fullMessage(for: error)
    if code == .success {
      Output.write(Array((Examples.added(to: text) + "\n").utf8))
      exit(.clean)
    }
    if code == .validationFailure {
      let hint = Suggestion.of(CommandLine.arguments.dropFirst(), in: root).map { "Did you mean '\($0)'?" }
      if Output.isTerminal {
        Output.writeError([text, hint].compactMap { $0 }.joined(separator: "\n"))
      } else {
        let message = Root.message(for: error)
        let title = "Error: \(message)\n"
        let usage = text.hasPrefix(title) ? String(text.dropFirst(title.count)) : text
        reportJSON(message.isEmpty ? "could not read the command line" : message, [("hint", hint), ("usage", usage)])
      }
      exit(.usage)
    }
    report("could not finish: \(error)")
    exit(.error)
  }

  /// Writes an error to standard error: text on a terminal, else one line of JSON like those of the log.
  package static func report(_ message: String, hint: String? = nil) {
    guard Output.isTerminal else { return reportJSON(message, [("hint", hint)]) }
    Output.writeError(["payrecon: \(message)", hint.map { "hint: \($0)" }].compactMap { $0 }.joined(separator: "\n"))
  }

  private static func reportJSON(_ message: String, _ fields: [(key: String, value: String?)]) {
    Output.writeError(StandardErrorLog.json(.error, message, fields.compactMap { field in field.value.map { (field.key, $0) } }))
  }
}
