internal import Glibc
internal import SystemCalls

/// A file of the world that could not be written.
public struct SimulationError: Error, CustomStringConvertible {
  public let description: String

  static func system(_ action: String, _ path: String, code: Int32) -> SimulationError {
    SimulationError(description: "could not \(action) \"\(path)\": \(SystemFault.text(code)); check the folder and its free space")
  }
}

/// A file that is written sequentially.
final class OutputFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `SimulationError` when the file cannot be created; an existing one is replaced.
  init(_ path: String, header: String = "") throws {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SimulationError.system("create file", path, code: errno) }
    try write(header)
  }

  deinit { _ = Glibc.close(descriptor) }

  func write(_ bytes: [UInt8]) throws {
    do { try Descriptor.write(bytes[...], to: descriptor) } catch {
      throw SimulationError.system("write file", path, code: error.code)
    }
  }

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Creates a folder and its parents.
  static func makeFolder(_ path: String) throws {
    do { try Folder.make(path, mode: 0o755) } catch { throw SimulationError.system("create folder", error.path, code: error.code) }
  }
}
