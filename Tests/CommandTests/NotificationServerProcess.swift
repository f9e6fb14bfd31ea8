import Foundation
import Glibc

/// `payrecon serve` as a separate process.
struct NotificationServerProcess: Sendable {
  let process: pid_t
  let port: Int
  let execution: Task<Execution, any Error>

  var url: String { "http://127.0.0.1:\(port)/notifications" }

  /// - Parameter words: options for the served interfaces.
  static func start(_ setup: Setup, _ words: String = "--notifications") async throws -> NotificationServerProcess {
    // The shell becomes the server, so that its process id is the server's.
    let script = "echo $$ > serve.pid; exec \"$0\" serve \(words) --port 0 > serve.out"
    let execution = Task { try await setup.program.run(["sh", "-c", script, Program.path]) }
    for _ in 0..<6000 {
      if let process = number("\(setup.directory)/serve.pid", after: ""),
        let port = number("\(setup.directory)/serve.out", after: "127.0.0.1:")
      {
        return NotificationServerProcess(process: pid_t(process), port: port, execution: execution)
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Program.SpawnFailure(description: "the server does not listen")
  }

  /// Returns the number after a mark in a file, or nil before the line is complete.
  private static func number(_ path: String, after mark: String) -> Int? {
    guard let bytes = try? Setup.bytes(path), bytes.contains(0x0A) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = mark.isEmpty ? text.startIndex : text.range(of: mark)?.upperBound else { return nil }
    let rest = text[start...]
    return rest.contains("\n") ? Int(rest.prefix { $0.isNumber }) : nil
  }

  func browser(_ account: String) async throws -> Browser { try await Browser(port: port).logIn(account) }

  func takesConnections() -> Bool { RawConnection(port: port) != nil }

  /// Posts a body. Returns the status, or 0 when the connection ends without an answer.
  func answer(to body: String) -> Int {
    guard let connection = RawConnection(port: port) else { return 0 }
    connection.send("POST /notifications HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return connection.status()
  }
}

/// A connection on which a test chooses every byte.
final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Fails with nil when the connection is refused.
  init?(port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    guard Self.connect(descriptor, to: address) else { return nil }
  }

  /// Connects to a socket in the file system. Fails with nil when the connection is refused.
  init?(socket path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    guard Self.connect(descriptor, to: address) else { return nil }
  }

  private static func connect<Address>(_ descriptor: Int32, to address: Address) -> Bool {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.send(descriptor, raw.baseAddress! + sent, raw.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Whether an answer, or the end of the connection, has arrived.
  var isAnswered: Bool {
    var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    return unsafe poll(&descriptors, 1, 0) == 1
  }

  /// Returns all bytes until the other side closes, or nil if it is still open after a minute.
  func readToEnd() -> String? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard unsafe poll(&descriptors, 1, 60_000) == 1 else { return nil }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  /// Returns the status of the one answer before the connection ends.
  func status() -> Int { (readToEnd() ?? "").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
}
