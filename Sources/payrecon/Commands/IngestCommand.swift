public import ArgumentParser
public import Domain
internal import CommandSupport
internal import Intake
internal import Logging
public import Jobs

extension InputKind: ExpressibleByArgument {}
extension EvidenceSource: ExpressibleByArgument {}

/// Reads input files, or standard input, into the database.
struct IngestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Reads orders, users, the catalogue or Apple evidence from files.",
    discussion: """
      A row or item that cannot be taken is parked (see `payrecon deadletter`) and stops nothing; a file whose header \
      cannot be used is refused whole. Prints input = accepted + repeated + ignored + parked.
      """)

  @Argument(help: "What the files hold: orders, users, catalogue or apple.")
  var kind: InputKind

  @Argument(help: "Files to read; - is standard input.")
  var files: [String]

  @Option(help: "csv or ndjson; default: by name, then by content.")
  var format: String?

  @Option(help: "Who sent evidence that does not say so: client, notification, api or import.")
  var source: EvidenceSource = .imported

  @OptionGroup var options: JobOptions

  func run() async throws {
    let inputFormat = try format.map { text in
      guard let known = InputFormat(rawValue: text) else {
        throw ValidationError("--format \"\(text)\" is not csv or ndjson")
      }
      return known
    }
    let context = try await options.context(label: "ingest")
    let outcome = try await IngestJob(context: context).run(
      kind: kind, files: files, format: inputFormat, source: source, runID: "ingest", resumes: false)
    Output.write(line: "\(kind.rawValue): \(outcome.tally.text)")
    if outcome.tally.parked > 0 {
      context.log.warning(
        "items parked", metadata: ["parked.count": "\(outcome.tally.parked)", "hint": "payrecon deadletter list"])
    }
    if kind == .users, outcome.tally.ignored > 0 {
      context.log.warning(
        "rows of erased users ignored", metadata: ["user.count": "\(outcome.tally.ignored)"])
    }
    let cut = outcome.cutFiles.map { "the input is incomplete: \($0.reason)" }
    if outcome.refusedFiles.isEmpty, !cut.isEmpty {
      throw JobError(cut.joined(separator: "\n"), status: .incomplete)
    }
    for line in cut { context.log.warning("\(line)") }
    guard outcome.refusedFiles.isEmpty else {
      throw JobError(outcome.refusedFiles.map(\.reason).joined(separator: "\n"))
    }
  }
}
