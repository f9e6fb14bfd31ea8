internal import FoundationEssentials

/// All SQL files of a folder, read and checked once, so that a missing one fails in the first millisecond.
public struct SQLFiles: Sendable {
  public let directory: String
  private let sources: [String: String]
  private let statements: [String: SQLFile]

  /// Files read from one folder.
  static let filesMax = 1000

  /// - Throws: `PostgresError.sqlFile` when the folder or a file cannot be read.
  public init(directory: String) throws(PostgresError) {
    self.directory = directory
    var sources: [String: String] = [:]
    do {
      for path in try FileManager.default.subpathsOfDirectory(atPath: directory) where path.hasSuffix(".sql") {
        sources[path] = try String(contentsOfFile: "\(directory)/\(path)", encoding: .utf8)
      }
    } catch {
      throw .sqlFile("could not read the SQL files in \"\(directory)\": \(error)")
    }
    guard !sources.isEmpty, sources.count <= Self.filesMax else {
      throw .sqlFile("cannot use the SQL folder \"\(directory)\": it holds \(sources.count) files")
    }
    self.sources = sources
    var statements: [String: SQLFile] = [:]
    for (path, source) in sources where !path.hasPrefix("migrations/") {
      statements[path] = SQLFile(path: path, source: source)
    }
    self.statements = statements
  }

  /// Paths of all files under the folder, sorted.
  public var paths: [String] { sources.keys.sorted() }

  /// The statement of a file.
  public func callAsFunction(_ path: String) throws(PostgresError) -> SQLFile {
    guard let statement = statements[path] else {
      throw .sqlFile("could not find SQL file \"\(path)\" in \"\(directory)\"")
    }
    return statement
  }

  /// The text of a file with several statements and no parameter.
  public func text(_ path: String) throws(PostgresError) -> String {
    guard let source = sources[path] else {
      throw .sqlFile("could not find SQL file \"\(path)\" in \"\(directory)\"")
    }
    return source
  }
}
