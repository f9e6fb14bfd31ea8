internal import JobCore
internal import Postgres
internal import SystemCalls

/// Rows of facts in a temporary file, together for each partition and list.
final class FactFile: Sendable {
  /// A part of the file with rows of one partition and list.
  fileprivate struct Chunk {
    var offset: Int
    var count: Int
  }

  private let file: NamelessFile
  /// By partition and list.
  private let chunks: [[Chunk]]

  fileprivate init(_ file: NamelessFile, _ chunks: [[Chunk]]) { (self.file, self.chunks) = (file, chunks) }

  /// Calls `body` with each row.
  func each(_ list: FactList, ofPartition partition: Int = 0, _ body: (inout CopyRow) throws -> Void) throws {
    for chunk in chunks[FactFileWriter.part(partition, list)] {
      let rows = try FactFileWriter.reported { () throws(SystemFault) in try file.read(at: chunk.offset, count: chunk.count) }
      try CopyRow.each(in: rows, of: "\(list)", body)
    }
  }
}

/// A writer of a `FactFile`, list by list.
struct FactFileWriter {
  /// Maximum number of bytes of rows that wait to be written.
  private static let bufferBytesMax = 32 << 20
  /// Number of bytes from which the rows of a partition are written.
  private static let chunkBytes = 1 << 16

  private let file: NamelessFile
  private let chunkBytes: Int
  private var buffers: [[UInt8]]
  private var chunks: [[FactFile.Chunk]]
  private var end = 0

  init(partitions: Int = 1) throws {
    file = try Self.reported { () throws(SystemFault) in try NamelessFile("payrecon-facts") }
    chunkBytes = min(Self.chunkBytes, Self.bufferBytesMax / partitions)
    buffers = Array(repeating: [], count: partitions)
    chunks = Array(repeating: [], count: partitions * FactList.allCases.count)
  }

  fileprivate static func part(_ partition: Int, _ list: FactList) -> Int { partition * FactList.allCases.count + Int(list.rawValue) }

  mutating func add(_ row: ArraySlice<UInt8>, of list: FactList, toPartition partition: Int = 0) throws {
    buffers[partition] += row
    if buffers[partition].count >= chunkBytes { try flush(partition, list) }
  }

  /// Ends a list. The next row belongs to another list.
  mutating func finish(_ list: FactList) throws {
    for partition in buffers.indices where !buffers[partition].isEmpty { try flush(partition, list) }
  }

  /// Returns the file, once all lists are finished.
  consuming func finish() -> FactFile { FactFile(file, chunks) }

  private mutating func flush(_ partition: Int, _ list: FactList) throws {
    let rows = buffers[partition]
    try Self.reported { () throws(SystemFault) in try file.append(rows) }
    chunks[Self.part(partition, list)].append(FactFile.Chunk(offset: end, count: buffers[partition].count))
    end += buffers[partition].count
    buffers[partition].removeAll(keepingCapacity: true)
  }

  fileprivate static func reported<Result>(_ body: () throws(SystemFault) -> Result) throws -> Result {
    do { return try body() } catch {
      throw JobError(
        "could not keep the facts of a match run in a temporary file: \(errnoText(error.code))",
        hint: "Make room in \(Temporary.directory), or set TMPDIR to a folder with more room; then start the job again.")
    }
  }
}
