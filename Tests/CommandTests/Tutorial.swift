import FoundationEssentials
import Glibc

/// A tutorial page, whose commands a test runs line by line in a folder.
struct Tutorial {
  /// A code block, and the file that the text before it names.
  struct Block {
    var language: String
    var text: String
    var file: String?

    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  let blocks: [Block]
  let setup: Setup
  /// Lines that export variables, which later lines see.
  private var exports: [String] = []
  private let hasFuture: Bool

  /// - Parameter environment: variables of the shell, in addition to those of the setup.
  init(_ page: String, _ setup: Setup, environment: [String: String] = [:]) throws {
    let text = try Setup.text("\(TestServer.repository)/Sources/payrecon/payrecon.docc/Tutorials/\(page).md")
    blocks = text.matches(of: /(?:`([\w.-]+)`[^`\n]*:\n\n)?```([a-z]*)\n([\s\S]*?)```/).map { match in
      Block(language: String(match.output.2), text: String(match.output.3), file: match.output.1.map(String.init))
    }
    var setup = setup
    // A user has settings in the folder, and the sources in the home.
    try? FileManager.default.removeItem(atPath: "\(setup.directory)/payrecon.yaml")
    setup.program.environment["PAYRECON_CONFIG"] = nil
    setup.program.environment["PAYRECON_APPLE_ROOTS"] = nil
    try FileManager.default.createDirectory(atPath: "\(setup.directory)/home", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(setup.directory)/home/payrecon", withDestinationPath: TestServer.repository)
    setup.program.environment["HOME"] = "\(setup.directory)/home"
    setup.program.environment["PATH"] = "\(Program.folder(of: Program.path)):\(Program.variable("PATH") ?? "/usr/bin:/bin"):/usr/sbin"
    setup.program.environment.merge(environment) { $1 }
    self.setup = setup
    hasFuture = instant("2026-11-23T00:00:00Z").microseconds > Int64(time(nil)) * 1_000_000
  }

  /// Writes a block to its file, or to the end of the settings.
  func write(_ block: Block, replacing old: String = "", with new: String = "") throws {
    let name = block.file ?? "payrecon.yaml"
    let text = block.text.replacing(old.isEmpty ? "\u{0}" : old, with: new)
    let before =
      name == "payrecon.yaml" ? (try? Setup.bytes("\(setup.directory)/\(name)")).map { String(decoding: $0, as: UTF8.self) } ?? "" : ""
    try setup.write(name, before + text)
  }

  /// Runs one line as a user types it. Exit statuses of breaks and of missing input are results.
  @discardableResult
  mutating func run(_ line: String) async throws -> Execution {
    if line.hasPrefix("export ") { exports.append(line) }
    let clock = hasFuture && line.hasPrefix("payrecon ") && line.contains("--as-of") ? " --future" : ""
    let script = (exports + [line + clock]).joined(separator: "\n")
    let run = try await setup.patiently { try await setup.program.run(["bash", "-c", script]) }
    #expect([0, 1, 3].contains(run.status ?? -1) || line == "payrecon doctor", "\(line): \(run.status ?? -1) \(run.text)\(run.complaint)")
    return run
  }

  /// The proposed mapping that a preview printed.
  static func proposal(_ preview: Execution) -> String {
    let heading = preview.text.components(separatedBy: "Proposed mapping")
    let parts = heading.count < 2 ? [] : heading[1].components(separatedBy: "\n\n")
    return parts.count < 2 ? "" : parts[1] + "\n"
  }
}
