import Glibc

/// Files that are written under a temporary name first.
package enum NewFile {
  /// Makes a file that was not there; what an attempt that was killed left under its name goes first.
  ///
  /// A link that somebody laid there is removed or refused, never followed.
  /// - Returns: a descriptor to write to; below 0 when it failed, with the reason in `errno`.
  package static func open(_ path: String, mode: UInt32) -> Int32 {
    unsafe unlink(path)
    return unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  }
}
