import FoundationEssentials

/// What the developers' guide shows as the diff of one of each, file by file.
public struct GuideDiff: Sendable {
  /// The heading that it stands under.
  public var section: String
  public var path: String
  /// Lines with the sign that they begin with.
  public var lines: [String] = []

  /// Text of the lines that are added.
  public var added: String { lines.filter { $0.hasPrefix("+") }.map { "\($0.dropFirst())\n" }.joined() }
  /// Lines that the file holds before it.
  public var before: [String] { lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } }

  public static func all() throws -> [GuideDiff] {
    let page = try String(
      contentsOfFile: "\(TestServer.repository)/Sources/payrecon/payrecon.docc/OneOfEach.md", encoding: .utf8)
    var found: [GuideDiff] = []
    var section = ""
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```diff"
      } else if line.hasPrefix("### ") {
        section = String(line.dropFirst(4))
      } else if isInside, line.hasPrefix("+++ ") {
        // Several files may be named at once, where nothing of them is shown.
        found += line.dropFirst(4).split(separator: ", ").map { GuideDiff(section: section, path: String($0)) }
      } else if isInside, !found.isEmpty {
        found[found.count - 1].lines.append(String(line))
      }
    }
    return found
  }
}
