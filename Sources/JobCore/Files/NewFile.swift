import Glibc

/// Creation of files under a temporary name.
package enum NewFile {
  /// Creates a file, after removing the leftover of an interrupted attempt. Never follows a link at that path.
  ///
  /// - Returns: a descriptor for writing; below 0 after a failure, with the reason in `errno`.
  package static func open(_ path: String, mode: UInt32) -> Int32 {
    unsafe unlink(path)
    return unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  }
}
