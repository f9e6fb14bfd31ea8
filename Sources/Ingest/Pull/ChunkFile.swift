internal import Domain
internal import Glibc
internal import JobCore

/// A file of lines that is being written.
struct ChunkFile: ~Copyable {
  /// The content written so far.
  struct Summary: Sendable {
    var rowCount = 0
    var last: [UInt8]?
    /// The source's clock at the time of reading.
    var readAt = Timestamp(microseconds: 0)
  }

  private static let bufferBytes = 1 << 20

  private let descriptor: Int32
  private let bytesMax: Int64
  private var bytesWritten: Int64 = 0
  private var buffer: [UInt8] = []
  private var summary = Summary()

  init(path: String, bytesMax: Int64) throws(JobError) {
    descriptor = LocalFile.create(path, mode: 0o600)
    self.bytesMax = bytesMax
    guard descriptor >= 0 else { throw JobError("could not write \"\(path)\": \(errnoText())") }
  }

  deinit { close(descriptor) }

  mutating func add(_ line: [UInt8]) throws {
    summary.rowCount += 1
    summary.last = line
    buffer += line
    bytesWritten += Int64(line.count)
    guard bytesWritten <= bytesMax else {
      throw JobError(
        "could not read the source: a part of it has more than \(bytesMax) bytes", hint: "Let the query yield fewer rows or columns.")
    }
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  mutating func end(readAt: Timestamp) throws -> Summary {
    try flush()
    summary.readAt = readAt
    return summary
  }

  private mutating func flush() throws {
    try SpooledFile.write(buffer[...], to: descriptor)
    buffer.removeAll(keepingCapacity: true)
  }
}
