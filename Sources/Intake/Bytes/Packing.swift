internal import Glibc
internal import SystemCalls
internal import Wording

/// The compression format of an input.
enum Packing: String {
  case gzip, zstd

  /// Number of bytes that identify a format, including those that are not unpacked.
  static let markBytes = 10
  private static let gzipMark: [UInt8] = [0x1F, 0x8B]
  private static let zstdMark: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  /// Bytes after the first one of a frame that zstd skips, with which parallel compressors begin a file. The first is 0x50 to 0x5F.
  private static let skippedMark: [UInt8] = [0x2A, 0x4D, 0x18]

  /// File name extensions of compressed files; the rest of the name gives the content's format.
  static let endings = [".gz": Packing.gzip, ".gzip": .gzip, ".zst": .zstd, ".zstd": .zstd]

  /// Detects the format from an input's first bytes. Returns nil for an uncompressed input.
  ///
  /// A file truncated within its first bytes is identified by its name.
  /// - Source: RFC 1952, 2.3.1; RFC 8878, 3.1.1.
  init?(head: [UInt8], path: String) {
    if head.starts(with: Self.gzipMark) {
      self = .gzip
    } else if head.starts(with: Self.zstdMark) || head.first.map({ $0 & 0xF0 }) == 0x50 && head.dropFirst().starts(with: Self.skippedMark) {
      self = .zstd
    } else {
      let named = Self.endings.first { path.lowercased().hasSuffix($0.key) }?.value
      guard let named, !head.isEmpty, named.mark.starts(with: head) else { return nil }
      self = named
    }
  }

  /// Returns the name of a packed format that is not unpacked, and how to get its content; nil for any other input.
  ///
  /// - Source: the .xz file format, 2.1.1.1; bzip2, the magic of a stream and its first block; APPNOTE.TXT, 4.3.7; 7zFormat.txt.
  static func foreign(_ head: [UInt8]) -> (name: String, cure: String)? {
    let unpack = "plain files, gzip and zstd are read."
    if head.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return ("xz", "Unpack it with `xz -d`: \(unpack)") }
    if head.starts(with: Array("BZh".utf8)), head.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
      return ("bzip2", "Unpack it with `bzip2 -d`: \(unpack)")
    }
    if head.starts(with: [0x50, 0x4B, 3, 4]) {
      return ("zip, as archives and workbooks are", "Unpack it, or save a workbook as CSV: \(unpack)")
    }
    if head.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return ("7z", "Unpack it with `7z x`: \(unpack)") }
    return nil
  }

  private var mark: [UInt8] { self == .gzip ? Self.gzipMark : Self.zstdMark }

  /// Command that decompresses standard input to standard output.
  fileprivate var command: String {
    switch self {
    case .gzip: "gzip -dcq"
    case .zstd: "zstd -dcq --memory=\(IntakeLimits.unpackerWindowBytesMax)"
    }
  }
}

/// A child process with limits that decompresses an input into a pipe.
final class Unpacker {
  let packing: Packing
  /// Descriptor from which the decompressed bytes are read.
  let output: Int32
  private let errorOutput: Int32
  /// nil after the process was waited for.
  private var process: Child?

  /// Maximum number of bytes kept of an error message.
  private static let complaintBytesMax = 512
  /// The shell's exit status for a missing program.
  private static let missingStatus: Int32 = 127

  /// - Parameters:
  ///   - input: open file or pipe that the program reads from its current position.
  ///   - taken: bytes that were already read from it.
  /// - Throws: `IntakeError` when the program cannot be started.
  init(_ packing: Packing, input: Int32, taken: [UInt8], path: String) throws(IntakeError) {
    self.packing = packing
    var ends = [Int32](repeating: -1, count: 4)
    guard unsafe pipe(&ends[0]) == 0, unsafe pipe(&ends[2]) == 0 else {
      throw IntakeError(file: path, reason: Phrase("intake.no_pipe", ["why": .plain(SystemFault.text())]))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    errorOutput = ends[2]
    // The environment is not inherited, because it may contain options for the programs.
    let program = ChildProgram(
      "/bin/sh", arguments: ["-c", Self.script(packing, taken)],
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"], input: input, output: ends[1], errorOutput: ends[3])
    defer {
      close(ends[1])
      close(ends[3])
    }
    do { process = try program.start() } catch {
      throw IntakeError(file: path, reason: Phrase("intake.no_program", ["why": .plain(SystemFault.text(error.code))]))
    }
  }

  deinit {
    close(output)
    if let process {
      process.send(SIGKILL)
      _ = try? process.wait()
    }
    close(errorOutput)
  }

  /// Returns the shell script; existing stricter limits stay.
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

  /// Waits for the process, which has closed its output.
  ///
  /// - Returns: why the data is incomplete; nil when it is complete.
  /// - Throws: `IntakeError` when the program is not installed.
  func end(path: String) throws(IntakeError) -> Phrase? {
    let ending = try? process?.wait()
    process = nil
    if case .killed(let signal) = ending {
      return Phrase("intake.packed_signal", ["program": .plain(packing.rawValue), "signal": .plain(signal)])
    }
    guard case .exited(let code) = ending else { return nil }
    if code == Self.missingStatus {
      throw IntakeError(
        file: path, reason: Phrase("intake.not_installed", ["program": .plain(packing.rawValue)]),
        hint: "Install \(packing.rawValue), or unpack the file.")
    }
    guard code != 0 else { return nil }
    return complaint.map { .plain("\(packing.rawValue): \($0)") }
      ?? Phrase("intake.packed_status", ["program": .plain(packing.rawValue), "code": .plain(code)])
  }

  /// The last line of the error output, without the names of the program and of its input.
  private var complaint: String? {
    var bytes = [UInt8](repeating: 0, count: Self.complaintBytesMax)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(errorOutput, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last { $0.contains(":") } ?? ""
    return line.split(separator: ":").last.map { String($0.trimmingPrefix { $0 == " " }) }
  }
}
