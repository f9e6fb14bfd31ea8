internal import CGNU
internal import Glibc

/// A program to run as a child process: its arguments pass through no shell, and its environment is only the one given.
public struct ChildProgram: Sendable {
  /// Path of the program, which is also its first argument.
  public var path: String
  public var arguments: [String]
  public var environment: [String]
  /// Descriptor of standard input; nil for `/dev/null`.
  public var input: Int32?
  public var output: Int32
  public var errorOutput: Int32
  /// Working directory; nil for the caller's.
  public var directory: String?
  /// Whether every other descriptor of the caller is closed in the child.
  public var closesOthers = false
  /// Whether the child has a separate process group, so that a terminal's interrupt does not reach it directly.
  public var leadsGroup = false
  /// Signals reset to their default action, with none blocked; nil inherits the caller's settings.
  public var defaultSignals: [Int32]?

  public init(_ path: String, arguments: [String], environment: [String], input: Int32? = nil, output: Int32, errorOutput: Int32) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.output = output
    self.errorOutput = errorOutput
  }

  public func start() throws(SystemFault) -> Child {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorOutput, STDERR_FILENO)
    if closesOthers { unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1) }
    if let directory { unsafe posix_spawn_file_actions_addchdir_np(&actions, directory) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    set(&attributes)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      // swift-format-ignore
      for unsafe word in unsafe words { unsafe free(word) }
      // swift-format-ignore
      for unsafe setting in unsafe settings { unsafe free(setting) }
    }
    var id = pid_t()
    let code = unsafe posix_spawn(&id, path, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw SystemFault(code: code) }
    return Child(id: id)
  }

  private func set(_ attributes: inout posix_spawnattr_t) {
    var flags: Int32 = 0
    if let defaultSignals {
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      for number in defaultSignals { unsafe sigaddset(&signals, number) }
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      flags |= Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    }
    if leadsGroup {
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

public struct Child: Sendable {
  public let id: Int32

  public enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Returns how the process ended; nil while it runs. A process that ended is reaped.
  public func poll() throws(SystemFault) -> Ending? {
    var status: Int32 = 0
    let found = unsafe waitpid(id, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == id else { throw SystemFault(code: errno) }
    return Self.ending(status)
  }

  /// Waits for the end of the process and reaps it.
  public func wait() throws(SystemFault) -> Ending {
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemFault(code: errno) }
    }
    return Self.ending(status)
  }

  public func send(_ signal: Int32) { kill(id, signal) }

  private static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }
}
