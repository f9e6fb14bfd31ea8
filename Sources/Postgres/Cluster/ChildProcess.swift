internal import CLibPQ
internal import Glibc
internal import SystemCalls

/// Runs a program to its end, with nothing to read and a bounded part of its output kept.
enum ChildProcess {
  struct Outcome {
    /// Exit status; 128 plus the signal when it was killed.
    var status: Int32
    /// The last part of standard output and error together.
    var output: String
  }

  /// Bytes of output kept for messages.
  private static let outputBytesMax = 8192

  /// `MFD_CLOEXEC` of memfd_create(2).
  private static let closeOnExec: UInt32 = 1

  /// - Parameter directory: where it runs; an account without access to the caller's folder needs one of its
  ///   own.
  /// - Note: a daemon that outlives the caller gets none of its descriptors.
  static func run(_ arguments: [String], directory: String) throws(ClusterError) -> Outcome {
    // A file in memory, not a pipe: a daemon that keeps it open cannot make the reader wait for its end.
    let sink = unsafe memfd_create("payrecon-output", Self.closeOnExec)
    guard sink >= 0 else { throw Files.failure("make a buffer for the output of", arguments[0]) }
    defer { close(sink) }
    // No PGDATA, PGHOST, LC_* of the caller: the cluster is the same whoever starts it.
    var program = ChildProgram(
      arguments[0], arguments: Array(arguments.dropFirst()),
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "TZ=UTC"], output: sink,
      complaints: sink)
    program.directory = directory
    program.closesOthers = true
    // The server must not inherit that this program ignores a broken pipe, nor a blocked signal.
    program.plainSignals = [SIGPIPE]
    let child: Child
    do { child = try program.start() } catch {
      throw ClusterError("could not start \"\(arguments[0])\": \(Files.text(error.code))")
    }
    do {
      let status: Int32 =
        switch try child.wait() {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
      return Outcome(status: status, output: tail(of: sink))
    } catch {
      throw ClusterError("could not wait for \"\(arguments[0])\": \(Files.text(error.code))")
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
