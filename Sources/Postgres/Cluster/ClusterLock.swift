internal import Glibc

/// A lock that lets one command at a time create, start or stop a cluster. The system releases it when the process ends.
struct ClusterLock {
  private static let pauseMicroseconds: UInt32 = 50_000

  private let file: Int32

  /// Takes the lock.
  ///
  /// - Source: flock(2).
  init(directory: String, wait: Duration) throws(ClusterError) {
    let path = "\(directory)/cluster.lock"
    file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Files.failure("lock", path, hint: "Set PAYRECON_STATE_DIR to a folder you may write to.") }
    let end = ContinuousClock.now + wait
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        let failure = Files.failure("lock", path)
        close(file)
        throw failure
      }
      guard ContinuousClock.now < end else {
        close(file)
        throw ClusterError(
          "could not lock \"\(path)\" within \(wait.components.seconds) s: another payrecon holds it",
          hint: "See which: fuser -v \(path).")
      }
      usleep(Self.pauseMicroseconds)
    }
  }

  func release() { close(file) }
}
