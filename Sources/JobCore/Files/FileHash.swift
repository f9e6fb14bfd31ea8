internal import Cryptography
internal import Glibc
internal import SystemCalls

/// File contents and hashes, read at once or in chunks.
package enum FileHash {
  private static let pieceBytes = 1 << 18

  /// Returns hash and length of a file; nil if there is no such file.
  package static func read(_ path: String) throws(JobError) -> (sha256: String, byteCount: Int)? {
    guard let descriptor = try descriptor(path) else { return nil }
    defer { close(descriptor) }
    var hash = SHA256()
    var count = 0
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    while let got = try piece(descriptor, &buffer, path) {
      hash.update(buffer[..<got])
      count += got
    }
    return (hash.hex(), count)
  }

  /// Returns the contents of a file; nil if there is no such file.
  ///
  /// - Throws: `JobError` if the file is longer than `bytesMax`.
  package static func contents(_ path: String, bytesMax: Int) throws(JobError) -> [UInt8]? {
    guard let descriptor = try descriptor(path) else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    while let got = try piece(descriptor, &buffer, path) {
      bytes += buffer[..<got]
      guard bytes.count <= bytesMax else { throw JobError("could not read \"\(path)\": it is longer than \(bytesMax) bytes") }
    }
    return bytes
  }

  private static func descriptor(_ path: String) throws(JobError) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return descriptor }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw JobError("could not read \"\(path)\": \(errnoText())")
  }

  /// Reads the next chunk and returns its length; nil at the end.
  private static func piece(_ descriptor: Int32, _ buffer: inout [UInt8], _ path: String) throws(JobError) -> Int? {
    do {
      let got = try Descriptor.read(descriptor, into: &buffer)
      return got > 0 ? got : nil
    } catch {
      throw JobError("could not read \"\(path)\": \(errnoText(error.code))")
    }
  }

  /// Returns the names in a folder except `.` and `..`, sorted.
  package static func names(directory: String) throws(JobError) -> [String] {
    do { return try Folder.names(in: directory).sorted() } catch {
      throw JobError("could not read the folder \"\(directory)\": \(errnoText(error.code))")
    }
  }
}
