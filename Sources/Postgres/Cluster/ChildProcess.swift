internal import CLibPQ
internal import Glibc
internal import SystemCalls

/// Programs that run without input until they end. The last part of their output is kept.
enum ChildProcess {
  struct Outcome {
    /// Exit status; 128 plus the signal if a signal killed the program.
    var status: Int32
    /// The last lines of standard output and error, merged.
    var output: String
  }

  /// Maximum number of bytes of output kept for messages.
  private static let outputBytesMax = 8192

  /// `MFD_CLOEXEC` of memfd_create(2).
  private static let closeOnExec: UInt32 = 1

  /// Runs a program and waits for its end. A daemon that outlives the caller inherits none of its descriptors.
  ///
  /// - Parameter directory: working folder, which the program's account must be able to enter.
  static func run(_ arguments: [String], directory: String) throws(ClusterError) -> Outcome {
    // A file in memory instead of a pipe: a daemon that keeps it open does not block the reader.
    let sink = unsafe memfd_create("payrecon-output", Self.closeOnExec)
    guard sink >= 0 else { throw Files.failure("make a buffer for the output of", arguments[0]) }
    defer { close(sink) }
    // Without PGDATA, PGHOST and LC_* of the caller, the cluster does not depend on who starts it.
    var program = ChildProgram(
      arguments[0], arguments: Array(arguments.dropFirst()),
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "TZ=UTC"], output: sink,
      errorOutput: sink)
    program.directory = directory
    program.closesOthers = true
    // The server must not inherit that this program ignores broken pipes, or its blocked signals.
    program.defaultSignals = [SIGPIPE]
    let child: Child
    do { child = try program.start() } catch {
      throw ClusterError("could not start \"\(arguments[0])\": \(SystemFault.text(error.code))")
    }
    do {
      let status: Int32 =
        switch try child.wait() {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
      return Outcome(status: status, output: tail(of: sink))
    } catch {
      throw ClusterError("could not wait for \"\(arguments[0])\": \(SystemFault.text(error.code))")
    }
  }

  private static func tail(of sink: Int32) -> String {
    let end = lseek(sink, 0, SEEK_END)
    var buffer = [UInt8](repeating: 0, count: outputBytesMax)
    let count = unsafe pread(sink, &buffer, buffer.count, max(0, end - off_t(outputBytesMax)))
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).suffix(12).joined(separator: "; ")
  }
}
