internal import Cryptography
internal import Domain
internal import Glibc
internal import Intake

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

  /// SHA-256 of a file's bytes, in lower-case hexadecimal; empty for a pipe, which can be read only once.
  static func sha256(path: String) throws -> String {
    try requireReadable(path)
    if path == "-" || type(path) != S_IFREG { return "" }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw JobError("could not read input file \"\(path)\": \(errnoText())") }
    defer { close(descriptor) }
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw JobError("could not read input file \"\(path)\": \(errnoText())")
      }
      if count == 0 { break }
      hash.update(buffer[..<count])
    }
    return hash.hex()
  }
}

/// Cores this process may use.
enum ProcessorCount {
  static let available = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
