internal import Glibc

/// Permissions of a socket file that only one group may open.
public enum SocketFile {
  /// Returns the id of a group; nil when the name is unknown.
  public static func group(_ name: String) -> UInt32? {
    guard let group = unsafe getgrnam(name) else { return nil }
    return unsafe group.pointee.gr_gid
  }

  /// Restricts new files to this account. Returns the previous mask.
  public static func restrictNewFiles() -> UInt32 { umask(0o177) }

  public static func restoreMask(_ mask: UInt32) { _ = umask(mask) }

  /// Gives a group access to a socket; nil means this process's group.
  public static func open(_ path: String, to group: UInt32?) throws(SystemFault) {
    if let group, unsafe chown(path, uid_t.max, group) != 0 { throw SystemFault(code: errno) }
    guard unsafe chmod(path, 0o660) == 0 else { throw SystemFault(code: errno) }
  }
}
