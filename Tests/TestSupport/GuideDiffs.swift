import FoundationEssentials

/// A diff of one file on a how-to page.
public struct GuideDiff: Sendable {
  public var page: String
  /// Nearest heading above the diff.
  public var section: String
  public var path: String
  /// Lines of the diff with their signs.
  public var lines: [String] = []

  public var added: String { lines.filter { $0.hasPrefix("+") }.map { "\($0.dropFirst())\n" }.joined() }
  public var before: [String] { lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } }

  /// Returns the diffs of all pages `HowTo/Add….md`.
  public static func all() throws -> [GuideDiff] {
    let folder = "\(TestServer.repository)/Sources/payrecon/payrecon.docc/HowTo"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("Add") }.sorted()
    return try names.flatMap { try read("\(folder)/\($0)", page: String($0.dropLast(3))) }
  }

  private static func read(_ path: String, page: String) throws -> [GuideDiff] {
    var found: [GuideDiff] = []
    var section = ""
    var isInside = false
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```diff"
      } else if !isInside, line.hasPrefix("#") {
        section = String(line.drop { $0 == "#" || $0 == " " })
      } else if isInside, line.hasPrefix("+++ ") {
        // One line may name several files without their content.
        found += line.dropFirst(4).split(separator: ", ").map { GuideDiff(page: page, section: section, path: String($0)) }
      } else if isInside, !found.isEmpty {
        found[found.count - 1].lines.append(String(line))
      }
    }
    return found
  }
}
