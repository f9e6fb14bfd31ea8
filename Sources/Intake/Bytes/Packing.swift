internal import Glibc
internal import SystemCalls

/// How the bytes of an input are packed.
enum Packing: String {
  case gzip, zstd

  /// Bytes that tell one packing from another.
  static let markBytes = 4
  private static let gzipMark: [UInt8] = [0x1F, 0x8B]
  private static let zstdMark: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  /// Endings of names, without which a name tells the format of what is packed.
  static let endings = [".gz": Packing.gzip, ".gzip": .gzip, ".zst": .zstd, ".zstd": .zstd]

  /// The packing of an input that begins like this; nil for a plain one.
  ///
  /// A file that was cut off within its mark is known by its name.
  /// - Source: RFC 1952, 2.3.1; RFC 8878, 3.1.1.
  init?(head: [UInt8], path: String) {
    if head.starts(with: Self.gzipMark) {
      self = .gzip
    } else if head.starts(with: Self.zstdMark) {
      self = .zstd
    } else {
      let named = Self.endings.first { path.lowercased().hasSuffix($0.key) }?.value
      guard let named, !head.isEmpty, named.mark.starts(with: head) else { return nil }
      self = named
    }
  }

  private var mark: [UInt8] { self == .gzip ? Self.gzipMark : Self.zstdMark }

  /// The program that unpacks standard input to standard output.
  fileprivate var command: String {
    switch self {
    case .gzip: "gzip -dcq"
    case .zstd: "zstd -dcq --memory=\(IntakeLimits.unpackerWindowBytesMax)"
    }
  }
}

/// A program that unpacks an input, run as a child within limits; what it makes comes through a pipe.
final class Unpacker {
  let packing: Packing
  /// Where the unpacked bytes are read.
  let output: Int32
  private let complaints: Int32
  /// Nil once it has ended and is gone.
  private var process: Child?

  /// Bytes of a complaint that are kept.
  private static let complaintBytesMax = 512
  /// Exit status by which the shell says that there is no such program.
  private static let missingStatus: Int32 = 127

  /// - Parameters:
  ///   - input: open file or pipe that the program reads from where it stands.
  ///   - taken: bytes that were read out of it before.
  /// - Throws: `IntakeError` when the program cannot be started.
  init(_ packing: Packing, input: Int32, taken: [UInt8], path: String) throws(IntakeError) {
    self.packing = packing
    var ends = [Int32](repeating: -1, count: 4)
    guard unsafe pipe(&ends[0]) == 0, unsafe pipe(&ends[2]) == 0 else {
      throw IntakeError(file: path, reason: "no pipe could be made to unpack it: \(ByteSource.errnoText())")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    complaints = ends[2]
    // Nothing of the caller's environment: options for the programs may stand in it.
    let program = ChildProgram(
      "/bin/sh", arguments: ["-c", Self.script(packing, taken)],
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"], input: input, output: ends[1], complaints: ends[3])
    defer {
      close(ends[1])
      close(ends[3])
    }
    do { process = try program.start() } catch {
      throw IntakeError(
        file: path, reason: "no program could be started to unpack it: \(ByteSource.errnoText(error.code))")
    }
  }

  deinit {
    close(output)
    if let process {
      process.send(SIGKILL)
      _ = try? process.wait()
    }
    close(complaints)
  }

  /// A limit that is already tighter stays.
  private static func script(_ packing: Packing, _ taken: [UInt8]) -> String {
    let name = packing.rawValue
    let limits = [
      "-c 0", "-t \(IntakeLimits.unpackerSecondsMax)", "-v \(IntakeLimits.unpackerMemoryBytesMax >> 10)",
    ].map { "(ulimit \($0)) 2>/dev/null && ulimit \($0)" }
    // Three octal digits a byte: \037\213.
    let octal = taken.map { "\\\($0 >> 6)\($0 >> 3 & 7)\($0 & 7)" }.joined()
    let run = taken.isEmpty ? "exec \(packing.command)" : "{ printf '\(octal)'; exec cat; } | \(packing.command)"
    return (["command -v \(name) >/dev/null || exit \(missingStatus)"] + limits + [run]).joined(separator: "; ")
  }

  /// Waits for the end of the program, which has closed its output.
  ///
  /// - Returns: why not everything was unpacked; nil when it was.
  /// - Throws: `IntakeError` when the program is not installed.
  func end(path: String) throws(IntakeError) -> String? {
    let ending = try? process?.wait()
    process = nil
    if case .killed(let signal) = ending { return "\(packing.rawValue) was ended by signal \(signal) at one of its limits" }
    guard case .exited(let code) = ending else { return nil }
    if code == Self.missingStatus {
      throw IntakeError(
        file: path, reason: "it is packed, and the program \(packing.rawValue) is not installed",
        hint: "Install \(packing.rawValue), or unpack the file.")
    }
    guard code != 0 else { return nil }
    return "\(packing.rawValue): \(complaint ?? "exit status \(code)")"
  }

  /// The last line of what the program complained about, without the names of itself and of its input.
  private var complaint: String? {
    var bytes = [UInt8](repeating: 0, count: Self.complaintBytesMax)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(complaints, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last { $0.contains(":") } ?? ""
    return line.split(separator: ":").last.map { String($0.trimmingPrefix { $0 == " " }) }
  }
}
