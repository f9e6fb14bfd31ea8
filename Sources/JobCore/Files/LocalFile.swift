internal import Cryptography
internal import Glibc
internal import SystemCalls

/// Reads of files and folders, with errors that name the path, and creation of files under a temporary name.
package enum LocalFile {
  private static let chunkBytes = 1 << 18

  /// Returns hash and length of a file; nil if there is no such file.
  package static func hash(_ path: String) throws(JobError) -> (sha256: String, byteCount: Int)? {
    var hash = SHA256()
    var count = 0
    let isThere = try readChunks(path) { chunk in
      hash.update(chunk)
      count += chunk.count
    }
    return isThere ? (hash.hex(), count) : nil
  }

  /// Returns the contents of a file; nil if there is no such file.
  ///
  /// - Throws: `JobError` if the file is longer than `bytesMax`.
  package static func contents(_ path: String, bytesMax: Int) throws(JobError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try readChunks(path) { chunk throws(JobError) in
      bytes += chunk
      guard bytes.count <= bytesMax else { throw JobError("could not read \"\(path)\": it is longer than \(bytesMax) bytes") }
    }
    return isThere ? bytes : nil
  }

  /// Passes a file to `body` in chunks. Returns false if there is no such file.
  private static func readChunks(_ path: String, _ body: (ArraySlice<UInt8>) throws(JobError) -> Void) throws(JobError) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw JobError("could not read \"\(path)\": \(errnoText())")
    }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: chunkBytes)
    while true {
      let count: Int
      do { count = try Descriptor.read(descriptor, into: &buffer) } catch {
        throw JobError("could not read \"\(path)\": \(errnoText(error.code))")
      }
      guard count > 0 else { return true }
      try body(buffer[..<count])
    }
  }

  /// Returns the names in a folder except `.` and `..`, sorted.
  package static func names(directory: String) throws(JobError) -> [String] {
    do { return try Folder.names(in: directory).sorted() } catch {
      throw JobError("could not read the folder \"\(directory)\": \(errnoText(error.code))")
    }
  }

  /// Creates a file, after removing the leftover of an interrupted attempt. Never follows a link at that path.
  ///
  /// - Returns: a descriptor for writing; below 0 after a failure, with the reason in `errno`.
  package static func create(_ path: String, mode: UInt32) -> Int32 {
    unsafe unlink(path)
    return unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  }
}
