import FoundationEssentials

/// Pages name existing commands and options. PAYRECON_WRITE_PAGES=1 writes the page of commands.
@Suite struct CommandPageTests {
  private static let pages = "\(TestServer.repository)/Sources/payrecon/payrecon.docc"

  private struct Help: Decodable { var command: Command }
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var subcommands: [Command]?
    var arguments: [Argument]?

    var below: [Command] { (subcommands ?? []).filter { $0.commandName != "help" } }
  }
  struct Argument: Decodable {
    struct Name: Decodable { var name: String }
    var kind: String
    var names: [Name]?
  }

  static func root() async throws -> Command {
    let run = try await Program().run([Program.path, "--experimental-dump-help"])
    return try JSONDecoder().decode(Help.self, from: Data(run.text.utf8)).command
  }

  /// Returns a command and all commands below it, with their words.
  static func all(_ command: Command, words: [String] = []) -> [(words: [String], command: Command)] {
    [(words, command)] + command.below.flatMap { all($0, words: words + [$0.commandName]) }
  }

  /// Returns the lines in a page's code blocks.
  private static func code(_ page: String) -> [String] {
    let parts = page.split(separator: "```", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.flatMap { parts[$0].split(separator: "\n").map(String.init) }
  }

  @Test func theCommandsPageIsUpToDate() async throws {
    let commands = Self.all(try await Self.root()).filter(\.command.below.isEmpty)
    try #require(commands.count > 60)
    let path = "\(Self.pages)/Reference/Commands.md"
    let head = "| command | does |\n|---|---|\n"
    let old = try Setup.text(path)
    let start = try #require(old.firstRange(of: head)).upperBound
    let page = old[..<start] + commands.map { "| `\($0.words.joined(separator: " "))` | \($0.command.abstract ?? "") |\n" }.joined()
    if ProcessInfo.processInfo.environment["PAYRECON_WRITE_PAGES"] != nil { try Data(page.utf8).write(to: URL(filePath: path)) }
    #expect(try Setup.text(path) == page, "write it again with PAYRECON_WRITE_PAGES=1")
  }

  /// Every `payrecon …` on a page is an existing command with existing options.
  @Test func commandsOnPagesExist() async throws {
    let root = try await Self.root()
    let files =
      try FileManager.default.subpathsOfDirectory(atPath: Self.pages).filter { $0.hasSuffix(".md") }.map { "\(Self.pages)/\($0)" }
      + ["README.md", "jobs/README.md", "sql/README.md"].map { "\(TestServer.repository)/\($0)" }
    var count = 0
    for file in files {
      let page = try Setup.text(file)
      let blocks = Self.code(page).filter { $0.firstMatch(of: #/^(?:\$ )?(?:[A-Z_]+=\S+ )?payrecon /#) != nil }
      let inline = page.matches(of: /`(payrecon [^`]+)`/).map { String($0.output.1) }
      for line in blocks + inline {
        let words = line.drop { $0 == "$" || $0 == " " }.split(separator: " ").drop { $0.contains("=") }.dropFirst().map(String.init)
        var command = root
        var rest = words[...]
        while let word = rest.first, let next = command.subcommands?.first(where: { $0.commandName == word }) {
          (command, rest) = (next, rest.dropFirst())
        }
        #expect(command.commandName != "payrecon" || words.first?.hasPrefix("-") == true || words.first == "COMMAND", "\(file): \(line)")
        // The help of this program does not list the server's own options.
        let isServer = ["serve", "appstore", "psql"].contains(command.commandName)
        let known = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map { "--\($0.name)" })
        let ended = rest.prefix { !["|", ">", "&&", "#", "--"].contains($0) }
        for word in ended where word.hasPrefix("--") && !isServer {
          let option = word.prefix { $0 != "=" && $0 != "," && $0 != ")" && $0 != "]" }
          #expect(known.contains(String(option)), "\(file): \(option) in \(line)")
        }
        count += 1
      }
    }
    #expect(count > 90)
  }
}
