import FoundationEssentials

/// A diff of a file on a page that says how to add something.
public struct GuideDiff: Sendable {
  /// The name of the page.
  public var page: String
  /// The nearest heading above it.
  public var section: String
  public var path: String
  /// Lines with the sign that they begin with.
  public var lines: [String] = []

  /// Text of the lines that are added.
  public var added: String { lines.filter { $0.hasPrefix("+") }.map { "\($0.dropFirst())\n" }.joined() }
  /// Lines that the file holds before it.
  public var before: [String] { lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } }

  /// The diffs of all pages `HowTo/Add….md`.
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
        // Several files may be named at once, where nothing of them is shown.
        found += line.dropFirst(4).split(separator: ", ").map { GuideDiff(page: page, section: section, path: String($0)) }
      } else if isInside, !found.isEmpty {
        found[found.count - 1].lines.append(String(line))
      }
    }
    return found
  }
}
