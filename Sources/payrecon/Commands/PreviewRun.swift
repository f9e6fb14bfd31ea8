internal import CommandSupport
internal import Domain
internal import Ingest
internal import Intake
internal import JobCore
internal import Postgres

/// Prints the first rows of a file as payrecon understands them. Needs no database and writes nothing.
struct PreviewRun {
  let kind: InputKind
  let rowType: any InputRow.Type
  let path: String
  let format: InputFormat?

  func run() async throws {
    let settings = try Environment.settings()
    let mapping = settings.inputs[kind].mapping(of: path.split(separator: "/").last.map(String.init) ?? path)
    var facts = PreviewFacts()
    facts.finalNewlineIsOptional = settings.inputs[kind].finalNewlineIsOptional
    facts.apps = settings.apps.map { ($0.bundleID, $0.timeZone) }
    let ids = try InputPreview.transactionIDs(rowType, path: path, format: format, mapping: mapping)
    let hasDatabase = try await readDatabase(ids, &facts)
    let preview = try InputPreview(rowType, path: path, format: format, mapping: mapping, facts: facts)
    for line in preview.lines { Output.write(line: line) }
    if kind == .orders, !hasDatabase {
      Output.write(line: "No database was at hand: amounts and times were not compared with the catalogue and Apple's.")
    }
  }

  /// Adds what a running database knows, and returns whether one could be read. A private server that does not run is not started.
  private func readDatabase(_ transactionIDs: [String], _ facts: inout PreviewFacts) async throws -> Bool {
    guard let conninfo = await Environment.runningConninfo() else { return false }
    let connection = ConnectionSettings(conninfo: conninfo, applicationName: "payrecon preview")
    return await PreviewFactsReader.add(to: &facts, transactionIDs: transactionIDs, connection: connection, sql: try Environment.sqlFiles())
  }
}
