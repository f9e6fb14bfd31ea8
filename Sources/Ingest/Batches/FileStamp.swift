internal import Glibc

/// How long a file was, and when it was changed last: one that somebody goes on writing is known by it, also where it was cut
/// at the end of a line.
package struct FileStamp: Sendable {
  private let path: String
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: nil for what is no plain file, or not there.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// Whether it is another one by now; one that was taken away was whole.
  package var hasChanged: Bool {
    guard let now = FileStamp(path: path) else { return false }
    return (now.size, now.seconds, now.nanoseconds) != (size, seconds, nanoseconds)
  }

  /// What a night says of one that changed.
  package var reason: String {
    "input file \"\(path)\" changed while the night read it, so that half of it may be in: write it under another name and rename it; "
      + "the next night reads it whole"
  }
}
