internal import Cryptography
internal import Glibc
internal import Intake
internal import JobCore
internal import SystemCalls
internal import Wording

/// Name, type and hash of input files.
enum FileContent {
  private static let chunkBytes = 1 << 20

  /// Returns the name of an input: the last part of its path, so that moving a folder does not change reports.
  static func name(_ path: String) -> String {
    path == "-" ? "-" : path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Checks that a file can be read.
  ///
  /// - Throws: `JobError` when the file cannot be opened; `IntakeError` for a directory or a device.
  static func requireReadable(_ path: String) throws {
    guard path != "-" else { return }
    switch type(path) {
    case S_IFDIR: throw IntakeError(file: path, reason: .plain("it is a directory"))
    case S_IFCHR, S_IFBLK: throw IntakeError(file: path, reason: .plain("it is a device"))
    default: break
    }
    guard unsafe access(path, R_OK) == 0 else {
      throw IntakeError(file: path, reason: .plain(errnoText()), hint: "Check that the file is there and that this account may read it.")
    }
  }

  /// Returns the file type at a path, following links; 0 when nothing is there.
  static func type(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Returns the SHA-256 of a file in lower-case hexadecimal; empty for a pipe, which can be read only once.
  static func sha256(path: String) throws -> String {
    try requireReadable(path)
    if path == "-" || type(path) != S_IFREG { return "" }
    var hash = SHA256()
    try read(path: path) { hash.update($0) }
    return hash.hex()
  }

  /// Returns the hashes of a file's uncompressed text, which a plain file and its packed copies share.
  ///
  /// A file that cannot be unpacked completely is no copy of another one: its packed bytes are hashed.
  static func unpackedHashes(path: String) throws -> (bytes: String, lines: String) {
    var hashes = TextHashes()
    do {
      if try UnpackedInput.read(path: path, { hashes.update($0) }) == nil { return hashes.hex() }
    } catch is IntakeError {
      // The reader of the file reports the fault.
    }
    let packed = try sha256(path: path)
    return (packed, packed)
  }

  static func read(path: String, _ sink: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw JobError("could not read input file \"\(path)\": \(errnoText())") }
    defer { close(descriptor) }
    try read(descriptor, named: "input file \"\(path)\"", sink)
  }

  static func read(_ descriptor: Int32, named name: String, _ sink: (ArraySlice<UInt8>) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      let count: Int
      do { count = try Descriptor.read(descriptor, into: &buffer) } catch {
        throw JobError("could not read \(name): \(errnoText(error.code))")
      }
      if count == 0 { return }
      try sink(buffer[..<count])
    }
  }
}
