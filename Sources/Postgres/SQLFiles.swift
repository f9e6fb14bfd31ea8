internal import FoundationEssentials

/// All SQL files of a folder, and the reference data beside them, read and checked once, so that a missing one fails in
/// the first millisecond.
public struct SQLFiles: Sendable {
  public let directory: String
  private let sources: [String: String]

  /// By which column each large table is spread where it lies on several nodes.
  static let distribution = "distribution.csv"

  /// Files read from one folder.
  static let filesMax = 2000
  /// Folders of what the migrator applies: no statements with parameters.
  private static let scripts = ["schema/", "functions/", "reference/"]

  /// - Throws: `PostgresError.sqlFile` when the folder or a file cannot be read.
  public init(directory: String) throws(PostgresError) {
    self.directory = directory
    var sources: [String: String] = [:]
    do {
      for path in try FileManager.default.subpathsOfDirectory(atPath: directory)
      where path.hasSuffix(".sql") || path.hasPrefix("reference/") && path.hasSuffix(".csv") || path == Self.distribution {
        sources[path] = try String(contentsOfFile: "\(directory)/\(path)", encoding: .utf8)
      }
    } catch {
      throw .sqlFile("could not read the SQL files in \"\(directory)\": \(error)")
    }
    guard !sources.isEmpty, sources.count <= Self.filesMax else {
      throw .sqlFile("cannot use the SQL folder \"\(directory)\": it holds \(sources.count) files")
    }
    self.sources = sources
  }

  /// Paths of all SQL files and reference data under the folder, sorted.
  public var paths: [String] { sources.keys.filter { $0 != Self.distribution }.sorted() }

  /// Paths of the files that are run as they are: not of what the migrator applies.
  var statementPaths: [String] {
    paths.filter { path in !Self.scripts.contains(where: path.hasPrefix) }
  }

  /// The statement of a file; its parameters are looked for here, since a command uses a few of hundreds of files.
  func file(_ path: String) throws(PostgresError) -> SQLFile {
    SQLFile(path: path, source: try text(path))
  }

  /// The text of a file, or of reference data.
  public func text(_ path: String) throws(PostgresError) -> String {
    guard let source = sources[path] else {
      throw .sqlFile("could not find SQL file \"\(path)\" in \"\(directory)\"")
    }
    return source
  }
}
