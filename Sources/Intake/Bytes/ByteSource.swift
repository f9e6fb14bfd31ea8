internal import Glibc

/// An open file or standard input, closed with the last reference to it.
final class ByteSource {
  let path: String
  private let descriptor: Int32
  private let isOwned: Bool

  /// Opens a file; `-` is standard input.
  init(path: String) throws(IntakeError) {
    self.path = path
    isOwned = path != "-"
    guard isOwned else {
      descriptor = STDIN_FILENO
      return
    }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw IntakeError(
        file: path, reason: Self.errnoText(),
        hint: "Check that the file is there and that this account may read it.")
    }
    var info = stat()
    if unsafe fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFDIR {
      // An initialiser that throws after all fields are set still runs deinit, which closes the descriptor.
      throw IntakeError(file: path, reason: "it is a directory", hint: "Name the files in it.")
    }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Reads up to as many bytes as `buffer` has from `offset` on; 0 at the end.
  func read(into buffer: inout [UInt8], from offset: Int) throws(IntakeError) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw IntakeError(file: path, reason: Self.errnoText()) }
    }
  }

  private static func errnoText() -> String {
    let code = errno
    guard let text = unsafe strerror(code) else { return "errno \(code)" }
    return unsafe String(cString: text)
  }
}
