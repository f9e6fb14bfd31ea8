import Foundation
import Synchronization
import SystemCalls

/// One private server for all tests of the process. Each test gets a separate database.
actor TestServer {
  static let shared = TestServer()

  private var starting: Task<String, any Error>?
  private var databases = 0

  /// Returns the libpq text of a new, empty database.
  func database() async throws -> String {
    let first = starting ?? Task { try await Self.start() }
    starting = first
    let conninfo = try await first.value
    databases += 1
    let name = "test_\(databases)"
    let session = try await Self.open(conninfo)
    try await session.executeAlone("create database \(name)")
    await session.close()
    return conninfo.replacing("dbname=payrecon", with: "dbname=\(name)")
  }

  static func open(_ conninfo: String) async throws -> Session {
    try await Session.open(ConnectionSettings(conninfo: conninfo, applicationName: "test"))
  }

  /// Returns a session on a new database that has the schema `payrecon`.
  static func session() async throws -> Session {
    let session = try await open(shared.database())
    try await session.transaction { tx in try tx.execute("create schema payrecon") }
    return session
  }

  private static func start() async throws -> String {
    let folder = try Folder()
    let cluster = PrivateCluster(stateDirectory: folder.path)
    let conninfo = try await cluster.start()
    if case .running(let process, let home, _) = try await cluster.status() {
      Leftovers.shared.add(process: process, home: home, folder: folder)
    }
    return conninfo
  }
}

extension Session {
  /// Returns the error that ends a transaction.
  func failure<R: Sendable>(
    _ mode: TransactionMode = .readWrite, of body: @Sendable (inout DatabaseTransaction) throws -> R
  ) async throws -> PostgresError {
    do {
      _ = try await transaction(mode, body)
    } catch let error as PostgresError {
      return error
    }
    throw PostgresError.decoding("the transaction did not fail")
  }

  /// Returns the server's error that ends a transaction.
  func refusal<R: Sendable>(of body: @Sendable (inout DatabaseTransaction) throws -> R) async throws -> ServerError {
    guard case .server(let error) = try await failure(of: body) else { throw PostgresError.decoding("another error") }
    return error
  }
}

/// Servers and folders removed at the end of the process.
final class Leftovers: Sendable {
  static let shared = Leftovers()

  private let state = Mutex<(processes: [Int32], homes: [String], folders: [Folder])>(([], [], []))

  private init() { atexit { Leftovers.shared.clear() } }

  func add(process: Int32, home: String, folder: Folder) {
    state.withLock {
      $0.processes.append(process)
      $0.homes.append(home)
      $0.folders.append(folder)
    }
  }

  func clear() {
    state.withLock { state in
      for process in state.processes { kill(process, SIGQUIT) }
      for process in state.processes {
        for _ in 0..<500 where kill(process, 0) == 0 { usleep(10_000) }
      }
      for home in state.homes { try? FileManager.default.removeItem(atPath: home) }
      state = ([], [], [])
    }
  }
}

/// A folder removed with the value.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = "\(Temporary.directory)/payrecon-test-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// SQL files written for one test.
struct SQLFolder {
  let folder: Folder
  let files: SQLFiles

  init(_ texts: [String: String]) throws {
    folder = try Folder()
    for (path, text) in texts {
      let url = URL(fileURLWithPath: "\(folder.path)/\(path)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    files = try SQLFiles(directory: folder.path)
  }

  func callAsFunction(_ path: String) throws -> SQLFile { try files(Listing(path)) }
}

/// Returns one statement as a file.
func sql<each Cell>(
  _ text: String, path: String = "one.sql", gives columns: repeat Column<each Cell>
) throws -> StatementFile<repeat each Cell> {
  try SQLFolder([path: text]).files(Statement(path, gives: repeat each columns))
}

/// Returns a query whose rows are passed as text.
func listing(_ text: String) throws -> SQLFile { try SQLFolder(["one.sql": text])("one.sql") }
