internal import Glibc

public struct SystemFault: Error, Sendable {
  /// `errno`.
  public let code: Int32
}

/// Reads and writes of open files and pipes that continue after signals.
public enum Descriptor {
  /// - Parameter offset: position in the buffer from which it is filled.
  /// - Returns: the number of bytes read; 0 at the end of the file.
  public static func read(_ descriptor: Int32, into buffer: inout [UInt8], from offset: Int = 0) throws(SystemFault) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw SystemFault(code: errno) }
    }
  }

  /// Reads until the buffer is full or the file ends. Returns the number of bytes read.
  public static func fill(_ buffer: inout [UInt8], from descriptor: Int32) throws(SystemFault) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = try read(descriptor, into: &buffer, from: filled)
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Reads a part of a file, independently of its current position.
  ///
  /// - Returns: fewer than `count` bytes at the end of the file.
  public static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(SystemFault) -> [UInt8] {
    var fault: Int32?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let read = unsafe pread(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, offset + filled)
        if read < 0, errno == EINTR { continue }
        if read < 0 { fault = errno }
        guard read > 0 else { return }
        filled += read
      }
    }
    if let fault { throw SystemFault(code: fault) }
    return bytes
  }

  public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFault(code: errno) }
      rest = rest.dropFirst(count)
    }
  }
}
