internal import Glibc

/// A temporary file without a name, which the system removes with its last reference.
public final class NamelessFile: Sendable {
  private let descriptor: Int32

  public init(_ name: String) throws(SystemFault) { descriptor = try Temporary.makeNamelessFile(name) }

  deinit { close(descriptor) }

  public func append(_ bytes: [UInt8]) throws(SystemFault) { try Descriptor.write(bytes[...], to: descriptor) }

  /// - Returns: fewer than `count` bytes at the end of the file.
  public func read(at offset: Int, count: Int) throws(SystemFault) -> [UInt8] {
    try Descriptor.read(descriptor, at: offset, count: count)
  }
}
