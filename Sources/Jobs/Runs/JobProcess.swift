internal import Glibc

/// A child process that runs a job: nothing to read, all it prints into one file.
struct JobProcess: Sendable {
  let id: pid_t

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
  /// - Source: posix_spawn(3).
  init(program: String, arguments: [String], environment: [String], output: Int32) throws(JobError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
    Self.keepDescriptors()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGTERM, SIGINT] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // Its own group: a terminal's interrupt reaches it once, through us.
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for unsafe word in unsafe words { unsafe free(word) }
      for unsafe setting in unsafe settings { unsafe free(setting) }
    }
    var process = pid_t()
    let code = unsafe posix_spawn(&process, program, &actions, &attributes, &words, &settings)
    guard code == 0 else {
      throw JobError("could not start \"\(program)\": \(errnoText(code))")
    }
    id = process
  }

  /// Files of ours that a child could inherit.
  private static let descriptorsMax: Int32 = 1024

  /// Closes what is open here at the start of any child: libraries do not all ask for that themselves.
  private static func keepDescriptors() {
    for descriptor in 3..<descriptorsMax { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// How a process ended.
  enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// How it ended; nil while it runs. Once it has ended it is gone.
  func poll() -> Ending? {
    var status: Int32 = 0
    let found = unsafe waitpid(id, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == id else { return .killed(signal: 0) }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  func send(_ signal: Int32) { kill(id, signal) }
}
