internal import Glibc
internal import SystemCalls

/// An open file or standard input, unpacked on the way and closed with the last reference to it.
final class ByteSource {
  let path: String
  private let descriptor: Int32
  private let isOwned: Bool
  private var unpacker: Unpacker?
  private var unpackedCount = 0
  /// Bytes that were read to look at them.
  private var pending: ArraySlice<UInt8> = []
  /// Why the bytes that came are not all of the file; nil when they are, and as long as more come.
  private(set) var fault: String?

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `IntakeError` when it cannot be opened, or is a folder or a device.
  init(path: String) throws(IntakeError) {
    self.path = path
    isOwned = path != "-"
    descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    guard descriptor >= 0 else {
      throw IntakeError(
        file: path, reason: Self.errnoText(),
        hint: "Check that the file is there and that this account may read it.")
    }
    // An initialiser that throws after all fields are set still runs deinit, which closes the descriptor.
    if isOwned { try Self.requireReadable(descriptor, path: path) }
    let head = Self.head(of: descriptor)
    let taken = head.isTaken ? head.bytes : []
    if let packing = Packing(head: head.bytes, path: path) {
      unpacker = try Unpacker(packing, input: descriptor, taken: taken, path: path)
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
    case S_IFDIR: throw IntakeError(file: path, reason: "it is a directory", hint: "Name the files in it.")
    case S_IFCHR, S_IFBLK: throw IntakeError(file: path, reason: "it is a device")
    default: break
    }
  }

  /// The first bytes, and whether they are gone from the input: a pipe cannot go back.
  private static func head(of descriptor: Int32) -> (bytes: [UInt8], isTaken: Bool) {
    var head = [UInt8](repeating: 0, count: Packing.markBytes)
    let start = lseek(descriptor, 0, SEEK_CUR)
    if start >= 0 {
      let count = unsafe pread(descriptor, &head, head.count, start)
      return (Array(head.prefix(max(0, count))), false)
    }
    var filled = 0
    // What cannot be read is told when it is wanted.
    while filled < head.count, let count = try? Descriptor.read(descriptor, into: &head, from: filled), count > 0 {
      filled += count
    }
    return (Array(head.prefix(filled)), true)
  }

  /// Reads up to as many bytes as `buffer` has from `offset` on; 0 at the end.
  func read(into buffer: inout [UInt8], from offset: Int) throws(IntakeError) -> Int {
    if !pending.isEmpty {
      let count = min(pending.count, buffer.count - offset)
      buffer.replaceSubrange(offset..<(offset + count), with: pending.prefix(count))
      pending = pending.dropFirst(count)
      return count
    }
    let count: Int
    do { count = try Descriptor.read(unpacker?.output ?? descriptor, into: &buffer, from: offset) } catch {
      throw IntakeError(file: path, reason: Self.errnoText(error.code))
    }
    if count > 0, unpacker != nil { try countUnpacked(count) }
    if count == 0, let unpacker { fault = try unpacker.end(path: path) }
    return count
  }

  /// A small file may unpack to more than any disk holds.
  private func countUnpacked(_ count: Int) throws(IntakeError) {
    unpackedCount += count
    guard unpackedCount <= IntakeLimits.unpackedBytesMax else {
      throw IntakeError(
        file: path, reason: "it unpacks to more than the limit of \(IntakeLimits.unpackedBytesMax) bytes",
        hint: "Split the file.")
    }
  }

  static func errnoText(_ code: Int32 = errno) -> String { SystemFault.text(code) }
}
