internal import FoundationEssentials

/// All SQL files of a folder and its reference data, read once at the start so that a missing file fails at once.
public struct SQLFiles: Sendable {
  public let directory: String
  private let sources: [String: String]

  /// The list of distributed tables and their distribution columns.
  static let distribution = "distribution.csv"

  /// Maximum number of files in the folder.
  static let filesMax = 2000
  /// Folders that the migrator applies. They contain no statements with parameters.
  private static let scripts = ["schema/", "functions/", "reference/"]

  /// - Parameter generated: texts by path, besides the files of the folder.
  /// - Throws: `PostgresError.sqlFile` if the folder or a file is not readable.
  public init(directory: String, adding generated: [String: String] = [:]) throws(PostgresError) {
    self.directory = directory
    var sources = generated
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

  /// Paths of the files with statements, without those that the migrator applies.
  var statementPaths: [String] { paths.filter { path in !Self.scripts.contains(where: path.hasPrefix) } }

  /// Returns the statement of a file. It is parsed only here, because a command uses few of hundreds of files.
  func file(_ path: String) throws(PostgresError) -> SQLFile { SQLFile(path: path, source: try text(path)) }

  /// Returns the types in SQL of the parameters that a file's header lists, such as `after, name (text), rows (bigint)`, by name.
  func listedParameters(of path: String) throws(PostgresError) -> [String: String] {
    let lines = try text(path).split(separator: "\n").prefix { $0.hasPrefix("--") }
    let header = lines.map { $0.drop { $0 == "-" || $0 == " " } }.joined(separator: " ")
    var types: [String: String] = [:]
    for match in header.matches(of: /(\w+(?:, \w+)*) \(([a-z]+(?:\[\])?)/.asciiOnlyWordCharacters()) {
      for name in match.output.1.split(separator: ", ") where types[String(name)] == nil { types[String(name)] = String(match.output.2) }
    }
    return types
  }

  /// Returns the text of an SQL file or of reference data.
  public func text(_ path: String) throws(PostgresError) -> String {
    guard let source = sources[path] else { throw .sqlFile("could not find SQL file \"\(path)\" in \"\(directory)\"") }
    return source
  }
}
