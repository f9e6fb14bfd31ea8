internal import Glibc
internal import Domain
internal import JobCore
internal import SystemCalls

/// A child process that runs a job: nothing to read, all it prints into one file.
struct JobProcess: Sendable {
  private let process: Child

  /// Settings of ours, of libpq, of TLS and of the locale; nothing else of the caller reaches a job.
  private static let prefixes = ["PAYRECON_", "PG", "SSL_", "LC_", "XDG_"]
  private static let names: Set<String> = [
    "PATH", "HOME", "LANG", "TZDIR", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY",
  ]

  /// The part of an environment that a job is given.
  static func environment(from caller: [String]) -> [String] {
    caller.filter { entry in
      let name = String(entry.prefix { $0 != "=" })
      return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// Starts a program with its arguments as they are: no shell reads them.
  ///
  /// - Parameter output: file that takes standard output and standard error.
  /// - Throws: `JobError` when the program cannot be started.
  init(program: String, arguments: [String], environment: [String], output: Int32) throws(JobError) {
    var child = ChildProgram(
      program, arguments: arguments, environment: environment, output: output, complaints: output)
    child.closesOthers = true
    child.leadsGroup = true
    child.plainSignals = [SIGPIPE, SIGTERM, SIGINT]
    do { process = try child.start() } catch {
      // The system lacks processes or memory for now.
      let isTemporary = error.code == EAGAIN || error.code == ENOMEM
      throw JobError("could not start \"\(program)\": \(errnoText(error.code))", status: isTemporary ? .temporary : .error)
    }
  }

  /// How it ended; nil while it runs. Once it has ended it is gone.
  func poll() -> Child.Ending? {
    do { return try process.poll() } catch { return .killed(signal: 0) }
  }

  func send(_ signal: Int32) { process.send(signal) }
}
