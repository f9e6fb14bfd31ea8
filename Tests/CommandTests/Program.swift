import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The error that ends a command, from its JSON line on standard error.
struct LastError {
  var message: String
  var hint: String?
  var usage: String?

  /// The error as a terminal shows it.
  var text: String { ["payrecon: \(message)", usage, hint.map { "hint: \($0)" }].compactMap { $0 }.joined(separator: "\n") }
}

/// The result of one run of the built program.
struct Execution: Sendable {
  /// Exit status; nil when a signal ended the program.
  var status: Int32?
  /// Signal that ended the program; nil when it exited.
  var signal: Int32?
  /// Whether the program was killed after its deadline.
  var isOverdue = false
  /// Standard output, up to `Program.outputBytesMax`.
  var output: [UInt8]
  /// Standard error, up to `Program.outputBytesMax`.
  var errors: [UInt8]
  /// Peak resident memory in KiB, as far as the samples show.
  var peakKiB: Int
  /// Number of points of work that the program passed, counted by `Tests/KillPoints`; 0 if it did not end by itself.
  var points = 0

  var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error; the error that ended the command is shown as on a terminal.
  var complaint: String {
    let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { Self.lastError($0)?.text ?? String($0) }.joined(separator: "\n")
  }
  /// The errors that end commands, among the lines of standard error.
  var lastErrors: [LastError] {
    String(decoding: errors, as: UTF8.self).split(separator: "\n").compactMap { Self.lastError($0) }
  }

  private static func lastError(_ line: Substring) -> LastError? {
    guard line.hasPrefix("{") else { return nil }
    guard let fields = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8)) else { return nil }
    // Errors of the log have other fields.
    let known = ["time", "level", "message", "hint", "usage"]
    guard fields["level"] == "error", fields.keys.allSatisfy({ known.contains($0) }) else { return nil }
    return LastError(message: fields["message"] ?? "", hint: fields["hint"], usage: fields["usage"])
  }

  /// Last word of the first line of output: the run, account or folder; nil without output.
  var headlineEnd: String? {
    let headline = text.prefix { $0 != "\n" }
    return headline.split(separator: " ").last.map { String($0) }
  }

  /// Verifies the end of a command. An empty list and nil expect nothing.
  ///
  /// - Parameters:
  ///   - exits: the possible exit statuses.
  ///   - text: the complete standard output.
  ///   - prints: parts of standard output.
  ///   - complains: parts of standard error.
  ///   - lacks: texts that neither output may contain.
  func expect(
    _ words: [String], exits: [Int32], text: String?, prints: [String], complains: [String], lacks: [String], at location: SourceLocation
  ) {
    func all() -> String { "\(words.joined(separator: " ")): \(status ?? -1) \(self.text)\(complaint)" }
    #expect(exits.isEmpty || exits.contains(status ?? -1), "status \(exits) expected: \(all())", sourceLocation: location)
    #expect(text == nil || text == self.text, "\"\(text ?? "")\" expected: \(all())", sourceLocation: location)
    for part in prints { #expect(self.text.contains(part), "\"\(part)\" expected: \(all())", sourceLocation: location) }
    for part in complains { #expect(complaint.contains(part), "\"\(part)\" expected: \(all())", sourceLocation: location) }
    for part in lacks {
      #expect(!self.text.contains(part) && !complaint.contains(part), "no \"\(part)\" expected: \(all())", sourceLocation: location)
    }
  }
}

/// The built `payrecon`, run as a user runs it.
struct Program: Sendable {
  /// Maximum number of bytes per stream that a test receives.
  static let outputBytesMax = 64 << 20
  /// Maximum run time of a command. It is longer than `minutes_max` of Tests/run, because a shared server runs through all suites.
  private static let timeMax = Duration.seconds(7200)
  /// Time between two checks of a running program, in microseconds. It is short for quick programs and for kills at a moment of the
  /// work. Each check takes time from the programs.
  private static func pollMicroseconds(look: Int, _ kill: Kill) -> UInt32 {
    if case .when = kill { return 1000 }
    return look < 30 ? 1000 : 8000
  }
  private static let looksPerMemoryLook = 8

  /// The moment at which a program is killed.
  enum Kill: Sendable {
    case never
    /// At a numbered point of its work (see `Tests/KillPoints`), before the point happens.
    case at(point: Int)
    /// No kill: the program waits at a numbered point while the test disturbs its surroundings.
    case disturbed(point: Int, by: @Sendable () async -> Void)
    /// As soon as the condition, checked every millisecond, is true.
    case when(@Sendable () -> Bool)
  }

  private static let spawning = Mutex(())

  /// Standard input of a program.
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
  /// File in which the program writes its number of points.
  private var countFile = ""

  init() {}

  /// Path of the program beside the tests, else `PAYRECON_TEST_PROGRAM`.
  static let path: String = {
    // A test runner from another folder loads a bundle.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let tests = [Folder.target(ofLink: "/proc/self/exe"), CommandLine.arguments.first, bundle].compactMap(\.self)
    let programs = tests.map { "\(folder(of: $0))/payrecon" }
    return programs.first(where: exists) ?? variable("PAYRECON_TEST_PROGRAM") ?? "payrecon"
  }()

  static func folder(of path: String) -> String { path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } }

  static func variable(_ name: String) -> String? { Machine.variable(name) }

  static func finds(_ name: String) -> Bool {
    let folders = (variable("PATH") ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]
    return folders.contains { exists("\($0)/\(name)") }
  }

  static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// Runs the program to its end, and verifies the end as `Execution.expect` does.
  @discardableResult
  func callAsFunction(
    _ arguments: String..., input: Input = .nothing, kill: Kill = .never, exits: Int32..., text: String? = nil, prints: String...,
    complains: String..., lacks: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let execution = try await run([Self.path] + arguments, input: input, kill: kill)
    execution.expect(arguments, exits: exits, text: text, prints: prints, complains: complains, lacks: lacks, at: sourceLocation)
    return execution
  }

  /// Runs a command line of any program, and verifies its end as `Execution.expect` does. `words[0]` is looked up in PATH.
  @discardableResult
  func run(
    _ words: [String], input: Input = .nothing, kill: Kill = .never, exits: Int32..., text: String? = nil, prints: String...,
    complains: String..., lacks: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let execution = try await withCheckedThrowingContinuation { continuation in
      // A dedicated thread, because waiting for a process blocks.
      DispatchQueue(label: "payrecon.command").async {
        continuation.resume(with: Result { try Self.blockingRun(words, self, input, kill) })
      }
    }
    execution.expect(words, exits: exits, text: text, prints: prints, complains: complains, lacks: lacks, at: sourceLocation)
    return execution
  }

  /// Returns the words with `--future` if their clock is ahead of this machine's, because simulated worlds have arbitrary dates.
  private static func allowingFuture(_ words: [String]) -> [String] {
    guard words.first == path, !words.contains("--future"), let flag = words.firstIndex(of: "--as-of"),
      flag + 1 < words.count, let asOf = Timestamp(rfc3339: words[flag + 1]), asOf.microseconds > Int64(time(nil)) * 1_000_000
    else { return words }
    return words + ["--future"]
  }

  private static func blockingRun(_ words: [String], _ program: Program, _ input: Input, _ kill: Kill) throws -> Execution {
    let words = allowingFuture(words)
    // One at a time, because a child that inherited the pipe of another would keep it open.
    let program = program.counting(kill)
    defer { try? FileManager.default.removeItem(atPath: program.countFile) }
    let (output, errors, source, child) = try spawning.withLock { _ in
      let output = try Capture()
      let errors = try Capture()
      let source = try InputPipe(input)
      let child = try spawn(words, program, stdin: source.readEnd, stdout: output.descriptor, stderr: errors.descriptor)
      return (output, errors, source, child)
    }
    source.feed()
    var result = wait(for: child, kill: kill)
    result.points = (try? String(contentsOfFile: program.countFile, encoding: .utf8)).flatMap { Int($0.prefix { $0 != "\n" }) } ?? 0
    result.output = try output.take(atMost: outputBytesMax)
    result.errors = try errors.take(atMost: outputBytesMax)
    return result
  }

  /// Returns this program with the library that numbers the points of its work and stops it at one of them.
  private func counting(_ kill: Kill) -> Program {
    var program = self
    var point = 0
    switch kill {
    case .at(let number), .disturbed(let number, _): point = number
    case .never, .when: break
    }
    program.countFile = "\(Temporary.directory)/payrecon-points-\(UInt64.random(in: 0...UInt64.max))"
    program.environment["LD_PRELOAD"] = "\(Self.folder(of: Self.path))/libKillPoints.so"
    program.environment["PAYRECON_KILL_PROGRAM"] = "payrecon"
    program.environment["PAYRECON_KILL_AT"] = "\(point)"
    program.environment["PAYRECON_KILL_COUNT"] = program.countFile
    return program
  }

  private static func wait(for child: pid_t, kill: Kill) -> Execution {
    let deadline = ContinuousClock.now + timeMax
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
      result.isOverdue = ContinuousClock.now > deadline
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

  /// Returns the peak memory of a process since its program started, or 0 if it has ended.
  ///
  /// The value of `wait4` is at least the memory of the tests at the start of the process.
  private static func peakKiB(of child: pid_t) -> Int {
    let status = (try? Setup.bytes("/proc/\(child)/status")) ?? []
    let name = Array("VmHWM:".utf8)
    guard let place = status.firstRange(of: name) else { return 0 }
    let number = status[place.upperBound...].drop { $0 < UInt8(ascii: "0") }.prefix { $0 >= UInt8(ascii: "0") }
    return Int(String(decoding: number, as: UTF8.self)) ?? 0
  }

  /// Does the scheduled disturbance to a program that stopped itself.
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

  private static func spawn(_ commandLine: [String], _ program: Program, stdin: Int32, stdout: Int32, stderr: Int32) throws -> pid_t {
    var environment = ["PATH": variable("PATH") ?? "/usr/bin:/bin", "HOME": program.directory, "TZ": "UTC", "TMPDIR": Temporary.directory]
    environment.merge(program.environment) { _, new in new }
    // `env` becomes the program itself, so that the process id stays the child's.
    var child = ChildProgram(
      "/usr/bin/env", arguments: ["-C", program.directory] + commandLine,
      environment: environment.map { "\($0.key)=\($0.value)" }, input: stdin, output: stdout, errorOutput: stderr)
    // As from a shell: test threads block signals, and a child that inherited this could not be ended.
    child.defaultSignals = [SIGHUP, SIGINT, SIGTERM, SIGPIPE]
    do {
      return try child.start().id
    } catch {
      throw SpawnFailure(description: "could not start \"\(commandLine[0])\": \(error)")
    }
  }
}

/// A nameless file for an output stream of a child. Unlike a pipe, it cannot cause a deadlock.
private struct Capture {
  let descriptor: Int32

  init() throws { descriptor = try Temporary.makeNamelessFile("payrecon-stream") }

  /// Returns the first bytes of the output and closes the file.
  func take(atMost limit: Int) throws -> [UInt8] {
    defer { close(descriptor) }
    let size = min(limit, Int(lseek(descriptor, 0, SEEK_END)))
    return try Descriptor.read(descriptor, at: 0, count: max(0, size))
  }
}

/// Standard input of a child, written by a dedicated thread.
private struct InputPipe {
  let readEnd: Int32
  private let writeEnd: Int32
  private let input: Program.Input

  init(_ input: Program.Input) throws {
    self.input = input
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw Program.SpawnFailure(description: "could not make a pipe: \(unsafe String(cString: strerror(errno)))")
    }
    readEnd = ends[0]
    writeEnd = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Closes the child's end and begins to write.
  func feed() {
    close(readEnd)
    let (writeEnd, input) = (writeEnd, input)
    DispatchQueue(label: "payrecon.input").async {
      // The exit of a child must not end the tests.
      signal(SIGPIPE, SIG_IGN)
      defer { close(writeEnd) }
      switch input {
      case .nothing: return
      case .bytes(let bytes): try? Descriptor.write(bytes[...], to: writeEnd)
      case .stream(let next):
        var index = 0
        while let piece = next(index), (try? Descriptor.write(piece[...], to: writeEnd)) != nil { index += 1 }
      }
    }
  }
}
