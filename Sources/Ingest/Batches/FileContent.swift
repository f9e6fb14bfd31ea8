internal import Cryptography
internal import Domain
internal import Glibc
internal import Intake
internal import JobCore
internal import SystemCalls

/// What an input file is, apart from what is in it.
enum FileContent {
  /// Bytes read at once.
  private static let chunkBytes = 1 << 20

  /// Name by which an input is known: the last part of its path, so that a folder that moved gives the same reports.
  static func name(_ path: String) -> String {
    path == "-" ? "-" : path.split(separator: "/").last.map(String.init) ?? path
  }

  /// - Throws: `JobError` when the file cannot be opened.
  static func requireReadable(_ path: String) throws {
    guard path != "-" else { return }
    switch type(path) {
    case S_IFDIR: throw IntakeError(file: path, reason: "it is a directory")
    case S_IFCHR, S_IFBLK: throw IntakeError(file: path, reason: "it is a device")
    default: break
    }
    guard unsafe access(path, R_OK) == 0 else {
      throw IntakeError(
        file: path, reason: errnoText(), hint: "Check that the file is there and that this account may read it.")
    }
  }

  /// Kind of what lies at a path, links followed; 0 when nothing does.
  private static func type(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Whether a path names a file that can be read again, not a pipe.
  static func isPlain(_ path: String) -> Bool { type(path) == S_IFREG }

  /// SHA-256 of a file's bytes, in lower-case hexadecimal; empty for a pipe, which can be read only once.
  static func sha256(path: String) throws -> String {
    try requireReadable(path)
    if path == "-" || type(path) != S_IFREG { return "" }
    var hash = SHA256()
    try read(path: path, chunkBytes: chunkBytes) { hash.update($0[...]) }
    return hash.hex()
  }

  /// Hands a file's bytes on, chunk by chunk.
  static func read(path: String, chunkBytes: Int, _ sink: ([UInt8]) throws -> Void) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw JobError("could not read input file \"\(path)\": \(errnoText())") }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      let count: Int
      do { count = try Descriptor.read(descriptor, into: &buffer) } catch {
        throw JobError("could not read input file \"\(path)\": \(errnoText(error.code))")
      }
      if count == 0 { break }
      try sink(Array(buffer[..<count]))
    }
  }
}

/// Cores this process may use.
enum ProcessorCount {
  static let available = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
