internal import Glibc
package import Wording

/// Size and modification time of a file. They reveal that another program still writes it, even if it was truncated at a line end.
package struct FileStamp: Sendable {
  private let path: String
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: nil for a missing file, or one that is not regular.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// Whether the file changed since the stamp; false for a file that was removed.
  package var hasChanged: Bool {
    guard let now = FileStamp(path: path) else { return false }
    return (now.size, now.seconds, now.nanoseconds) != (size, seconds, nanoseconds)
  }

  /// Message of the nightly run for a changed file.
  package var reason: Phrase {
    Phrase("night.file_changed", ["path": .plain(path)])
  }
}
