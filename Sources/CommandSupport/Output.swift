internal import Glibc
package import JobCore
internal import Synchronization
internal import SystemCalls

/// Standard output and standard error. A write completes, or fails with a reason.
package enum Output {
  package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard output is a terminal.
  package static var isOnTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether output is coloured: on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  package static var isColoured: Bool {
    isOnTerminal && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
  }

  /// Width of the terminal in columns; nil if standard output is no terminal or has no known width.
  package static var terminalWidth: Int? {
    var size = winsize()
    guard isOnTerminal, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes to standard output. A full disk ends the program with the reason; a closed pipe ends it silently.
  package static func write(_ bytes: [UInt8]) {
    do throws(JobError) {
      try tryWrite(bytes)
    } catch {
      Terminal.fail(error)
    }
  }

  package static func write(line: String) { write(Array((line + "\n").utf8)) }

  /// - Throws: `JobError` if standard output does not accept the bytes.
  package static func tryWrite(_ bytes: [UInt8]) throws(JobError) { try write(bytes[...], to: STDOUT_FILENO) }

  package static func writeError(_ text: String) { try? write(Array((text + "\n").utf8)[...], to: STDERR_FILENO) }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(JobError) {
    do { try Descriptor.write(bytes, to: descriptor) } catch {
      if error.code == EPIPE {
        // The convention for a reader that has closed its end (`| head`) is to end by SIGPIPE.
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
      }
      throw JobError("could not write the result to standard output: \(SystemFault.text(error.code))")
    }
  }
}

final class TerminalProgress: ProgressSink {
  /// Shortest time between two updates.
  private static let drawEvery = Duration.milliseconds(100)
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  func report(stage: String, done: Int, total: Int?) {
    let isDue = lastDrawn.withLock { last in
      let now = ContinuousClock.now
      if let earlier = last, now - earlier < Self.drawEvery { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let share = total.map { $0 > 0 ? " of \($0) (\(done * 100 / $0) %)" : "" } ?? ""
    draw("\r\u{1B}[K\(stage): \(done)\(share)")
  }

  func finish() { draw("\r\u{1B}[K") }

  private func draw(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
