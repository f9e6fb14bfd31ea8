import Synchronization

/// SQL in which one statement fails, so that a job ends within its transaction as if it had been killed.
enum Breakage {
  private static let made = Mutex<[String: SQLFiles]>([:])

  /// Returns the statements of the folders in which a job can be interrupted.
  static func paths(in folders: [String]) throws -> [String] {
    try TestServer.sql().paths.filter { path in folders.contains { path.hasPrefix("\($0)/") } }
  }

  /// - Parameter scenario: world in whose folder the SQL is copied.
  static func sql(breaking path: String, in scenario: Scenario) throws -> SQLFiles {
    if let files = made.withLock({ $0[path] }) { return files }
    let broken = try broken(path, of: TestServer.sql())
    let files = try scenario.changedSQL(path) { _ in broken }
    made.withLock { $0[path] = files }
    return files
  }

  /// Returns a statement with the same parameters that fails. A script does its work first.
  private static func broken(_ path: String, of files: SQLFiles) throws -> String {
    let names = try files(Listing(path)).parameterNames
    guard names.isEmpty else { return "select 1 / length(left(concat(\(names.map { ":'\($0)'" }.joined(separator: ", "))), 0))" }
    // Scripts create the working tables. A single statement without parameters is also run as a script.
    return "\(try files.text(path));\nselect 1 / 0;\n"
  }
}
