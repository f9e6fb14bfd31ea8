internal import Glibc
internal import SystemCalls
internal import Wording

/// An open file or standard input, decompressed while it is read and closed with the last reference.
final class ByteSource {
  let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  private var unpacker: Unpacker?
  private var unpackedCount = 0
  /// Bytes that were read to detect the format.
  private var pending: ArraySlice<UInt8> = []
  /// Reason why the bytes are not the complete file; nil while reading, and for a complete file.
  private(set) var fault: Phrase?

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `IntakeError` when it cannot be opened, or is a folder or a device.
  init(path: String) throws(IntakeError) {
    self.path = path
    isOwned = path != "-"
    descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    guard descriptor >= 0 else {
      throw IntakeError(
        file: path, reason: .plain(SystemFault.text()),
        hint: "Check that the file is there and that this account may read it.")
    }
    // If an initialiser throws after all properties are set, deinit still runs and closes the descriptor.
    if isOwned { try Self.requireReadable(descriptor, path: path) }
    let head = Self.head(of: descriptor)
    let taken = head.isTaken ? head.bytes : []
    if let packing = Packing(head: head.bytes, path: path) {
      unpacker = try Unpacker(packing, input: descriptor, taken: taken, path: path)
    } else if let foreign = Packing.foreign(head.bytes) {
      throw IntakeError(file: path, reason: Phrase("intake.packed_as", ["format": .plain(foreign.name)]), hint: foreign.cure)
    } else {
      pending = taken[...]
    }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  private static func requireReadable(_ descriptor: Int32, path: String) throws(IntakeError) {
    var info = stat()
    guard unsafe fstat(descriptor, &info) == 0 else { return }
    switch info.st_mode & S_IFMT {
    case S_IFDIR: throw IntakeError(file: path, reason: .plain("it is a directory"), hint: "Name the files in it.")
    case S_IFCHR, S_IFBLK: throw IntakeError(file: path, reason: .plain("it is a device"))
    default: break
    }
  }

  /// Returns the first bytes, and whether they were consumed, because a pipe cannot be rewound.
  private static func head(of descriptor: Int32) -> (bytes: [UInt8], isTaken: Bool) {
    var head = [UInt8](repeating: 0, count: Packing.markBytes)
    let start = lseek(descriptor, 0, SEEK_CUR)
    if start >= 0 {
      let count = unsafe pread(descriptor, &head, head.count, start)
      return (Array(head.prefix(max(0, count))), false)
    }
    var filled = 0
    // A read error is reported by the next read.
    while filled < head.count, let count = try? Descriptor.read(descriptor, into: &head, from: filled), count > 0 {
      filled += count
    }
    return (Array(head.prefix(filled)), true)
  }

  /// Reads bytes into `buffer` from `offset` to its end. Returns their number; 0 at the end of the file.
  func read(into buffer: inout [UInt8], from offset: Int) throws(IntakeError) -> Int {
    if !pending.isEmpty {
      let count = min(pending.count, buffer.count - offset)
      buffer.replaceSubrange(offset..<(offset + count), with: pending.prefix(count))
      pending = pending.dropFirst(count)
      return count
    }
    let count: Int
    do { count = try Descriptor.read(unpacker?.output ?? descriptor, into: &buffer, from: offset) } catch {
      throw IntakeError(file: path, reason: .plain(SystemFault.text(error.code)))
    }
    if count > 0, unpacker != nil { try countUnpacked(count) }
    if count == 0, let unpacker { fault = try unpacker.end(path: path) }
    return count
  }

  /// Counts decompressed bytes, because a small file may decompress to more than any disk can store.
  private func countUnpacked(_ count: Int) throws(IntakeError) {
    unpackedCount += count
    guard unpackedCount <= IntakeLimits.unpackedBytesMax else {
      throw IntakeError(
        file: path, reason: Phrase("intake.unpacks", ["max": .plain(IntakeLimits.unpackedBytesMax)]),
        hint: "Split the file.")
    }
  }
}
