internal import Domain
internal import Glibc
internal import JobCore
internal import SystemCalls

/// What one attempt of a window prints: kept in a file of its own, and told line by line behind the name of its job, since
/// several jobs run side by side.
final class JobLog: Sendable {
  /// Logs of one job that are kept; the oldest go.
  static let filesMax = 400
  /// Bytes that are looked at in one go.
  private static let readBytes = 1 << 16
  /// Longest line that waits for its end.
  private static let lineBytesMax = 1 << 16

  /// Takes what is printed.
  let descriptor: Int32
  /// nil when no file is kept.
  let path: String?
  /// Where this attempt's lines begin: a file of the same name may have been begun before.
  let begin: Int
  private let job: String
  private let echo: @Sendable (String) -> Void

  /// - Parameter directory: folder of all logs; nil keeps none.
  /// - Throws: `JobError` when there can be no log.
  init(
    job: String, name: String, directory: String?, echo: @escaping @Sendable (String) -> Void
  ) throws(JobError) {
    self.job = job
    self.echo = echo
    guard let directory else {
      do { descriptor = try Temporary.makeNamelessFile("payrecon-job") } catch {
        throw JobError("could not make a buffer for the output of \"\(job)\": \(errnoText(error.code))")
      }
      path = nil
      begin = 0
      return
    }
    let folder = "\(directory)/\(job)"
    try Self.make(folder)
    Self.prune(folder)
    let file = "\(folder)/\(name).log"
    descriptor = unsafe open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o640)
    path = file
    begin = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    guard descriptor >= 0 else { throw Self.failure(file) }
  }

  deinit { close(descriptor) }

  private static func failure(_ path: String, _ code: Int32 = errno) -> JobError {
    JobError(
      "could not keep the log \"\(path)\": \(errnoText(code))",
      hint: "Let this account write there, or name another folder under logs.directory of the settings.")
  }

  private static func make(_ folder: String) throws(JobError) {
    do { try Folder.make(folder, mode: 0o750) } catch { throw failure(error.path, error.code) }
  }

  /// Removes the oldest logs of a job; their names begin with the instant of the window.
  private static func prune(_ folder: String) {
    let names = ((try? FileHash.names(directory: folder)) ?? []).filter { $0.hasSuffix(".log") }.sorted()
    for name in names.dropLast(filesMax - 1) { unsafe unlink("\(folder)/\(name)") }
  }

  /// Tells the whole lines from a place on.
  ///
  /// - Parameter isLast: also what has no line end yet.
  /// - Returns: where to go on.
  func tell(from start: Int, isLast: Bool = false) -> Int {
    var place = start
    while true {
      var buffer = [UInt8](repeating: 0, count: Self.readBytes)
      let count = unsafe pread(descriptor, &buffer, buffer.count, off_t(place))
      guard count > 0 else { return place }
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        tell(rest[..<end])
        place += end - rest.startIndex + 1
        rest = rest[(end + 1)...]
      }
      if rest.count >= Self.lineBytesMax || (isLast && !rest.isEmpty) {
        tell(rest)
        place += rest.count
      } else if rest.count == count || count < buffer.count {
        return place
      }
    }
  }

  private func tell(_ line: ArraySlice<UInt8>) { echo("\(job): \(String(decoding: line, as: UTF8.self))") }
}
