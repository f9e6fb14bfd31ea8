internal import CGNU
internal import Glibc

public enum Machine {
  /// Returns an environment variable; nil if it is not set or empty.
  public static func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name), unsafe text.pointee != 0 else { return nil }
    return unsafe String(cString: text)
  }

  /// Microseconds since 1970 on the system clock.
  public static var microseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// The host name; empty when there is none.
  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&name, 255)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Size in bytes from which `returnLargeBlocks` affects a block.
  private static let largeBlockBytes: Int32 = 4 << 20

  /// Makes the allocator return freed large blocks to the system.
  ///
  /// By default it keeps blocks of up to 32 MiB after the first one, so reading several large files needs more memory than any one of
  /// them.
  ///
  /// - Source: mallopt(3), M_MMAP_THRESHOLD.
  public static func returnLargeBlocks() { _ = mallopt(M_MMAP_THRESHOLD, largeBlockBytes) }

  /// Returns a path that names the same file from any working directory; the path itself when the working directory was removed.
  public static func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = currentFolder else { return path }
    return "\(folder)/\(path)"
  }

  /// The quoted path of the working directory; a description when it was removed.
  public static var workingFolder: String { currentFolder.map { "\"\($0)\"" } ?? "the working folder" }

  private static var currentFolder: String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

extension SystemFault {
  /// Whether a code of `bind` or `listen` says that the address cannot be used.
  public static func isOfAddress(_ code: Int32) -> Bool {
    [EADDRINUSE, EADDRNOTAVAIL, EACCES, EAFNOSUPPORT, ENOENT, ENOTDIR].contains(code)
  }

  /// Returns the meaning of an error code; by default, of this thread's last call.
  public static func text(_ code: Int32? = nil) -> String {
    let code = code ?? errno
    guard let text = unsafe strerror(code) else { return "errno \(code)" }
    return unsafe String(cString: text)
  }
}

public enum Folder {
  public struct Refusal: Error, Sendable {
    public let path: String
    /// `errno`.
    public let code: Int32
  }

  /// Creates a folder and its parents; an existing folder is left unchanged.
  public static func make(_ path: String, mode: UInt32) throws(Refusal) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      built += built.isEmpty || built.hasSuffix("/") ? String(part) : "/\(part)"
      if unsafe mkdir(built, mode) != 0, errno != EEXIST, errno != EISDIR { throw Refusal(path: built, code: errno) }
    }
  }

  /// Returns the target of a symbolic link; nil if it is not readable.
  public static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count - 1)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// Returns the names in a folder except `.` and `..`, in the file system's order.
  public static func names(in path: String) throws(SystemFault) -> [String] {
    guard let folder = unsafe opendir(path) else { throw SystemFault(code: errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
