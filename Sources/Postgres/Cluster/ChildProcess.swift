internal import CLibPQ
internal import Glibc

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
  /// - Source: posix_spawn(3); `addclosefrom_np` keeps every other descriptor from a daemon that outlives the
  ///   caller.
  static func run(_ arguments: [String], directory: String) throws(ClusterError) -> Outcome {
    // A file in memory, not a pipe: a daemon that keeps it open cannot make the reader wait for its end.
    let sink = unsafe memfd_create("payrecon-output", Self.closeOnExec)
    guard sink >= 0 else { throw Files.failure("make a buffer for the output of", arguments[0]) }
    defer { close(sink) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, sink, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, sink, 2)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    unsafe posix_spawn_file_actions_addchdir_np(&actions, directory)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The server must not inherit that this program ignores a broken pipe, nor a blocked signal.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = CStrings(arguments)
    // No PGDATA, PGHOST, LC_* of the caller: the cluster is the same whoever starts it.
    let environment = CStrings(["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C", "TZ=UTC"])
    var process = pid_t()
    let code = withExtendedLifetime((words, environment)) {
      unsafe posix_spawn(&process, arguments[0], &actions, &attributes, words.mutable, environment.mutable)
    }
    guard code == 0 else {
      throw ClusterError("could not start \"\(arguments[0])\": \(Files.text(code))")
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw Files.failure("wait for", arguments[0]) }
    }
    let signal = status & 0x7F
    return Outcome(status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: tail(of: sink))
  }

  private static func tail(of sink: Int32) -> String {
    let end = lseek(sink, 0, SEEK_END)
    var buffer = [UInt8](repeating: 0, count: outputBytesMax)
    let count = unsafe pread(sink, &buffer, buffer.count, max(0, end - off_t(outputBytesMax)))
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).suffix(12).joined(separator: "; ")
  }
}
