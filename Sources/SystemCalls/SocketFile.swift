internal import Glibc

/// A socket in the file system that one group alone may open.
public enum SocketFile {
  /// Number of a group; nil where there is none of the name.
  ///
  /// - Source: getgrnam(3).
  public static func group(_ name: String) -> UInt32? {
    guard let group = unsafe getgrnam(name) else { return nil }
    return unsafe group.pointee.gr_gid
  }

  /// Has files that are made from here on be this account's alone; gives the mask of before.
  ///
  /// - Source: umask(2).
  public static func closeNewFiles() -> UInt32 { umask(0o177) }

  /// Has files be made as before.
  public static func openNewFiles(_ mask: UInt32) { _ = umask(mask) }

  /// Lets a group open a socket that was made closed; nil: the group of this process.
  ///
  /// - Source: chown(2), chmod(2).
  public static func open(_ path: String, to group: UInt32?) throws(SystemFault) {
    if let group, unsafe chown(path, uid_t.max, group) != 0 { throw SystemFault(code: errno) }
    guard unsafe chmod(path, 0o660) == 0 else { throw SystemFault(code: errno) }
  }
}
