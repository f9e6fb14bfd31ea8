internal import Glibc
internal import Domain
internal import JobCore
internal import SystemCalls

/// A child process that runs a job. It has no input, and one file gets all of its output.
struct JobProcess: Sendable {
  private let process: Child

  /// Variables of payrecon, libpq, TLS and the locale. A job gets no other variables of the caller except `names`.
  private static let prefixes = ["PAYRECON_", "PG", "SSL_", "LC_", "XDG_"]
  private static let names: Set<String> = [
    "PATH", "HOME", "LANG", "TZDIR", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY",
  ]

  /// Returns the subset of an environment that a job gets.
  static func environment(from caller: [String]) -> [String] {
    caller.filter { entry in
      let name = String(entry.prefix { $0 != "=" })
      return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// Starts a program directly, without a shell.
  ///
  /// - Parameter output: file descriptor for standard output and standard error.
  /// - Throws: `JobError` if the program cannot be started.
  init(program: String, arguments: [String], environment: [String], output: Int32) throws(JobError) {
    var child = ChildProgram(
      program, arguments: arguments, environment: environment, output: output, errorOutput: output)
    child.closesOthers = true
    child.leadsGroup = true
    child.plainSignals = [SIGPIPE, SIGTERM, SIGINT]
    do { process = try child.start() } catch {
      // The system is short of processes or memory.
      let isTemporary = error.code == EAGAIN || error.code == ENOMEM
      throw JobError("could not start \"\(program)\": \(errnoText(error.code))", status: isTemporary ? .temporary : .error)
    }
  }

  /// Returns the child's end, which is available once; nil while it runs.
  func poll() -> Child.Ending? {
    do { return try process.poll() } catch { return .killed(signal: 0) }
  }

  func send(_ signal: Int32) { process.send(signal) }
}
