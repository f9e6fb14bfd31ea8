import FoundationEssentials

/// The files of the repository, by their paths below its top level.
public enum Repository {
  public static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  /// Folder of fixtures beside the repository. If it is missing, the tests that need it are reported as skipped.
  public static let sharedFixtures = root.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/shared/fixtures"

  public static func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }

  /// Returns the sorted paths of a folder's files with this ending, at any depth.
  public static func paths(under folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").filter { $0.hasSuffix(ending) }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
