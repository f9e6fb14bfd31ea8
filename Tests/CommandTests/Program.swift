import Dispatch
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import SystemCalls

/// What a run of the built program left behind.
struct Execution: Sendable {
  /// Exit status; nil when a signal ended the program.
  var status: Int32?
  /// Signal that ended the program; nil when it exited.
  var signal: Int32?
  /// The program was killed because it outlived its deadline.
  var isOverdue = false
  /// Standard output, up to `Program.outputBytesMax`.
  var output: [UInt8]
  /// Standard error, up to `Program.outputBytesMax`.
  var errors: [UInt8]
  /// Most memory that was ever resident, in KiB, as far as the looks at it tell.
  var peakKiB: Int
  /// Points of its work that the program passed, as `Tests/KillPoints` counts them; 0 when it did not end by itself.
  var points = 0

  var text: String { String(decoding: output, as: UTF8.self) }
  var complaint: String { String(decoding: errors, as: UTF8.self) }

  /// Last word of the first line of the output: the run, account or folder that it is about; nil without output.
  var headlineEnd: String? {
    let headline = text.prefix { $0 != "\n" }
    return headline.split(separator: " ").last.map { String($0) }
  }
}

/// The built `payrecon`, run as a user runs it.
struct Program: Sendable {
  /// Bytes of each stream that a test gets to see.
  static let outputBytesMax = 64 << 20
  /// Longest a command may take; only a hanging program reaches it. A server that suites share runs from the first to the last of them.
  static let deadlineNanoseconds: UInt64 = 2_700_000_000_000
  /// Time between two looks at a running program, in microseconds: short while it may be a quick one, or is to be met
  /// at a moment of its work; looking is work that the programs then wait for.
  private static func pollMicroseconds(look: Int, _ kill: Kill) -> UInt32 {
    if case .when = kill { return 1000 }
    return look < 30 ? 1000 : 8000
  }
  private static let looksPerMemoryLook = 8

  /// When a program is killed without warning.
  enum Kill: Sendable {
    case never
    /// At a numbered point of its work (see `Tests/KillPoints`), before the point happens.
    case at(point: Int)
    /// Not killed: at a numbered point it waits while something happens to what it works with.
    case disturbed(point: Int, by: @Sendable () async -> Void)
    /// As soon as the condition, asked every millisecond, holds.
    case when(@Sendable () -> Bool)
  }

  private static let spawning = Mutex(())

  /// What a program reads on standard input.
  enum Input: Sendable {
    case nothing
    case bytes([UInt8])
    /// Pieces from a generator until it returns nil.
    case stream(@Sendable (Int) -> [UInt8]?)
  }

  struct SpawnFailure: Error, CustomStringConvertible {
    var description: String
  }

  var environment: [String: String] = [:]
  var directory = Temporary.directory
  /// Where the program says how many points it passed.
  private var countFile = ""

  init() {}

  /// The program beside the tests' own, else `PAYRECON_TEST_PROGRAM`.
  static let path: String = {
    let folders = [own(), CommandLine.arguments.first ?? "", testBundle() ?? ""].map {
      $0.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }
    for folder in folders where isExecutable("\(folder)/payrecon") { return "\(folder)/payrecon" }
    return variable("PAYRECON_TEST_PROGRAM") ?? "payrecon"
  }()

  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Whether a program of this name is installed.
  static func finds(_ name: String) -> Bool {
    let folders = (variable("PATH") ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]
    return folders.contains { isExecutable("\($0)/\(name)") }
  }

  /// Whether there is a program at a path.
  static func exists(_ path: String) -> Bool { isExecutable(path) }

  private static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  private static func own() -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    return String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The bundle that a test runner of another folder was told to load.
  private static func testBundle() -> String? {
    CommandLine.arguments.first { $0.hasSuffix(".xctest") }
  }

  /// Runs the program to its end.
  func callAsFunction(
    _ arguments: String..., input: Input = .nothing, kill: Kill = .never
  ) async throws -> Execution {
    try await run([Self.path] + arguments, input: input, kill: kill)
  }

  /// Runs a command line of any program; `words[0]` is looked up in PATH.
  func run(_ words: [String], input: Input = .nothing, kill: Kill = .never) async throws -> Execution {
    try await withCheckedThrowingContinuation { continuation in
      // A thread of its own: waiting for a process blocks.
      DispatchQueue(label: "payrecon.command").async {
        continuation.resume(with: Result { try Self.blockingRun(words, self, input, kill) })
      }
    }
  }

  /// The words, with leave for a clock that lies ahead of this machine's: simulated worlds know no date.
  private static func allowingFuture(_ words: [String]) -> [String] {
    guard words.first == path, !words.contains("--future"), let flag = words.firstIndex(of: "--as-of"),
      flag + 1 < words.count, let asOf = Timestamp(rfc3339: words[flag + 1]),
      asOf.microseconds > Int64(time(nil)) * 1_000_000
    else { return words }
    return words + ["--future"]
  }

  private static func blockingRun(
    _ words: [String], _ program: Program, _ input: Input, _ kill: Kill
  ) throws -> Execution {
    let words = allowingFuture(words)
    // One at a time: a child must not inherit the pipe of another, which would then never end.
    let program = program.counting(kill)
    defer { try? FileManager.default.removeItem(atPath: program.countFile) }
    let (output, errors, source, child) = try spawning.withLock { _ in
      let output = try Capture()
      let errors = try Capture()
      let source = try InputPipe(input)
      let child = try spawn(
        words, program, stdin: source.readEnd, stdout: output.descriptor, stderr: errors.descriptor)
      return (output, errors, source, child)
    }
    source.feed()
    var result = wait(for: child, kill: kill)
    result.points = (try? String(contentsOfFile: program.countFile, encoding: .utf8)).flatMap { Int($0.prefix { $0 != "\n" }) } ?? 0
    result.output = output.take(atMost: outputBytesMax)
    result.errors = errors.take(atMost: outputBytesMax)
    return result
  }

  /// This program with the library that numbers the points of its work, and stops it at one of them.
  private func counting(_ kill: Kill) -> Program {
    var program = self
    var point = 0
    switch kill {
    case .at(let number), .disturbed(let number, _): point = number
    case .never, .when: break
    }
    program.countFile = "\(Temporary.directory)/payrecon-points-\(UInt64.random(in: 0...UInt64.max))"
    program.environment["LD_PRELOAD"] = "\(Self.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })/libKillPoints.so"
    program.environment["PAYRECON_KILL_PROGRAM"] = "payrecon"
    program.environment["PAYRECON_KILL_AT"] = "\(point)"
    program.environment["PAYRECON_KILL_COUNT"] = program.countFile
    return program
  }

  private static func wait(for child: pid_t, kill: Kill) -> Execution {
    let begin = now()
    var result = Execution(output: [], errors: [], peakKiB: 0)
    var status: Int32 = 0
    var isKilled = false
    var looks = 0
    while true {
      if looks % looksPerMemoryLook == 0 { result.peakKiB = max(result.peakKiB, peakKiB(of: child)) }
      looks += 1
      let ended = unsafe waitpid(child, &status, WNOHANG | WUNTRACED)
      if ended == child, status & 0xFF == 0x7F {
        meet(child, kill)
        continue
      }
      if ended == child || (ended < 0 && errno != EINTR) { break }
      result.isOverdue = now() - begin > deadlineNanoseconds
      var isDue = false
      if case .when(let holds) = kill, !isKilled { isDue = holds() }
      if !isKilled, result.isOverdue || isDue {
        isKilled = true
        Glibc.kill(child, SIGKILL)
      }
      usleep(pollMicroseconds(look: looks, kill))
    }
    let signal = status & 0x7F
    if signal == 0 { result.status = (status >> 8) & 0xFF } else { result.signal = signal }
    return result
  }

  /// The most memory that a process had since it became the program it is; 0 when it is gone.
  ///
  /// What `wait4` tells is at least what the tests themselves had when they started it.
  private static func peakKiB(of child: pid_t) -> Int {
    let status = (try? Desk.bytes("/proc/\(child)/status")) ?? []
    let name = Array("VmHWM:".utf8)
    guard let place = status.firstRange(of: name) else { return 0 }
    let number = status[place.upperBound...].drop { $0 < UInt8(ascii: "0") }.prefix { $0 >= UInt8(ascii: "0") }
    return Int(String(decoding: number, as: UTF8.self)) ?? 0
  }

  /// Does to a program that stopped itself what is to happen to it there.
  private static func meet(_ child: pid_t, _ kill: Kill) {
    switch kill {
    case .at: Glibc.kill(child, SIGKILL)
    case .disturbed(_, let work):
      let isDone = DispatchSemaphore(value: 0)
      Task {
        await work()
        isDone.signal()
      }
      isDone.wait()
      Glibc.kill(child, SIGCONT)
    case .never, .when: Glibc.kill(child, SIGCONT)
    }
  }

  private static func spawn(
    _ commandLine: [String], _ program: Program, stdin: Int32, stdout: Int32, stderr: Int32
  ) throws -> pid_t {
    var environment = [
      "PATH": variable("PATH") ?? "/usr/bin:/bin", "HOME": program.directory, "TZ": "UTC", "TMPDIR": Temporary.directory,
    ]
    environment.merge(program.environment) { _, new in new }
    // `env` becomes the program itself, so that the process id stays the child's.
    var child = ChildProgram(
      "/usr/bin/env", arguments: ["-C", program.directory] + commandLine,
      environment: environment.map { "\($0.key)=\($0.value)" }, input: stdin, output: stdout, complaints: stderr)
    // As from a shell: threads of the tests block signals, and what inherited that could not be ended.
    child.plainSignals = [SIGHUP, SIGINT, SIGTERM, SIGPIPE]
    do {
      return try child.start().id
    } catch {
      throw SpawnFailure(description: "could not start \"\(commandLine[0])\": \(error)")
    }
  }

  /// Monotonic clock in nanoseconds.
  static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A nameless file that takes a stream of a child: nothing to drain, so nothing to dead-lock.
private struct Capture {
  let descriptor: Int32

  init() throws {
    descriptor = try Temporary.makeNamelessFile("payrecon-stream")
  }

  /// The first bytes of what was written; closes the file.
  func take(atMost limit: Int) -> [UInt8] {
    defer { close(descriptor) }
    let size = min(limit, Int(lseek(descriptor, 0, SEEK_END)))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(filled))
      }
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }
}

/// Standard input of a child, written by a thread of its own.
private struct InputPipe {
  let readEnd: Int32
  private let writeEnd: Int32
  private let input: Program.Input

  init(_ input: Program.Input) throws {
    self.input = input
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw Program.SpawnFailure(
        description: "could not make a pipe: \(unsafe String(cString: strerror(errno)))")
    }
    readEnd = ends[0]
    writeEnd = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Closes the end that the child has now, and begins to write.
  func feed() {
    close(readEnd)
    let (writeEnd, input) = (writeEnd, input)
    DispatchQueue(label: "payrecon.input").async {
      // A child that went away must not end the tests.
      signal(SIGPIPE, SIG_IGN)
      defer { close(writeEnd) }
      switch input {
      case .nothing: return
      case .bytes(let bytes): _ = Self.write(bytes, to: writeEnd)
      case .stream(let next):
        var index = 0
        while let piece = next(index), Self.write(piece, to: writeEnd) { index += 1 }
      }
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      start += count
    }
    return true
  }
}
