import Foundation

/// A Python HTTP server on a free port of 127.0.0.1. It ends with the test process.
public final class PythonServer: Sendable {
  public let port: Int
  /// The server ends when the other end of this pipe closes, even if the tests crash.
  private let life = Pipe()

  public var url: String { "http://127.0.0.1:\(port)" }

  public struct Failure: Error {
    public init() {}
  }

  /// Starts a script of this folder.
  public init(_ script: String, _ arguments: String...) throws {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path
    process.arguments = ["python3", "-uB", path] + arguments
    process.standardInput = life
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.prefix { $0.isNumber }) else { throw Failure() }
    self.port = port
  }
}
