internal import Glibc
internal import JobCore
internal import SystemCalls

/// Output of one attempt of a window: stored in a separate file, and echoed line by line with the job's name.
/// The name separates jobs that run concurrently.
final class JobLog: Sendable {
  static let filesMax = 400
  private static let readBytes = 1 << 16
  /// Longest line that is buffered until its end, in bytes.
  private static let lineBytesMax = 1 << 16

  let descriptor: Int32
  /// nil if no file is kept.
  let path: String?
  /// Offset at which this attempt begins, because a file of the same name may already have content.
  let begin: Int
  private let job: String
  private let echo: @Sendable (String) -> Void

  /// - Parameter directory: folder of all logs; nil for none.
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
    do { try Folder.make(folder, mode: 0o750) } catch { throw Self.failure(error.path, error.code) }
    Self.prune(folder)
    let file = "\(folder)/\(name).log"
    descriptor = unsafe open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw Self.failure(file) }
    path = file
    begin = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  deinit { close(descriptor) }

  private static func failure(_ path: String, _ code: Int32 = errno) -> JobError {
    JobError(
      "could not keep the log \"\(path)\": \(errnoText(code))",
      hint: "Let this account write there, or name another folder under logs.directory of the settings.")
  }

  /// Removes the oldest logs of a job. Their names begin with the window's instant.
  private static func prune(_ folder: String) {
    let names = ((try? LocalFile.names(directory: folder)) ?? []).filter { $0.hasSuffix(".log") }.sorted()
    for name in names.dropLast(filesMax - 1) { unsafe unlink("\(folder)/\(name)") }
  }

  /// Forwards the complete lines from an offset.
  ///
  /// - Parameter isLast: whether an unfinished last line is forwarded, too.
  /// - Returns: the offset after the last forwarded line.
  func forward(from start: Int, isLast: Bool = false) -> Int {
    var offset = start
    while true {
      var buffer = [UInt8](repeating: 0, count: Self.readBytes)
      let count = unsafe pread(descriptor, &buffer, buffer.count, off_t(offset))
      guard count > 0 else { return offset }
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        forwardLine(rest[..<end])
        offset += end - rest.startIndex + 1
        rest = rest[(end + 1)...]
      }
      if rest.count >= Self.lineBytesMax || (isLast && !rest.isEmpty) {
        forwardLine(rest)
        offset += rest.count
      } else if rest.count == count || count < buffer.count {
        return offset
      }
    }
  }

  private func forwardLine(_ line: ArraySlice<UInt8>) { echo("\(job): \(String(decoding: line, as: UTF8.self))") }
}
