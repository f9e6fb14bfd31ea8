import FoundationEssentials

/// All dependencies are pinned to one version and listed with a reason.
@Suite struct DependencyTests {
  /// Returns the lower-case words in the first column of the table of dependencies.
  private static func listed() throws -> Set<String> {
    let rows =
      try Repository.text("Sources/payrecon/payrecon.docc/Reference/Dependencies.md").components(
        separatedBy: "| dependency | why it is there |"
      ).last ?? ""
    let cells = rows.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { $0.split(separator: "|").first }
    return Set(cells.flatMap { $0.lowercased().split { ", ()".contains($0) }.map(String.init) })
  }

  @Test func packagesArePinnedAndListed() throws {
    let manifest = try Repository.text("Package.swift")
    let packages = manifest.matches(of: /\.package\(([^\n]*)\)/).map { String($0.output.1) }
    try #require(packages.count >= 8)
    #expect(packages.filter { $0.firstMatch(of: /^url: "[^"]+", exact: "\d+\.\d+\.\d+"(?:, traits: \[\])?$/) == nil } == [])
    let listed = try Self.listed()
    let names = packages.compactMap { $0.firstMatch(of: /url: "[^"]*\/([^"\/]+)"/)?.output.1.lowercased() }
    #expect(names.count == packages.count)
    #expect(names.filter { !listed.contains($0) } == [], "say in Dependencies.md why it is there")
  }

  @Test func librariesAreListed() throws {
    let libraries = try Repository.text("Package.swift").matches(of: /pkgConfig: "([^"]+)"/).map { String($0.output.1) }
    try #require(libraries.count >= 3)
    let listed = try Self.listed()
    #expect(libraries.filter { !listed.contains($0) } == [], "say in Dependencies.md why it is there")
  }
}
