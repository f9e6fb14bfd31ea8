public import ArgumentParser
internal import CommandSupport
public import Domain
internal import Ingest
internal import Intake
internal import JobCore
internal import Logging
internal import Postgres
internal import Wording

extension InputKind: ExpressibleByArgument {}
extension EvidenceSource: ExpressibleByArgument {}

/// Options for reading rows from a database instead of files.
struct DatabaseSourceOptions: ParsableArguments {
  @Option(help: "Read from another PostgreSQL: its libpq address. A password is better kept in PGPASSFILE.")
  var from: String?

  @Option(help: "File with the select that yields the columns; orders need updated_at and order_id.")
  var query: String?

  @Option(help: "Read a relation of payrecon's own server, such as a foreign table: shop.orders.")
  var relation: String?

  @Option(help: "What the watermark is called by (default: after the address and the query).")
  var name: String?

  @Option(help: "How far before the watermark is read again, such as 15m.")
  var overlap: String = "15m"

  @Option(help: "updated_at, or none: read all of it each time (default: updated_at for orders).")
  var watermark: String?

  var isGiven: Bool { from != nil || query != nil || relation != nil }

  /// Returns the database source; nil if files are read.
  func source(of kind: InputKind) throws -> PullSource? {
    guard isGiven else { return nil }
    guard PullSource.kinds.contains(kind) else {
      throw ValidationError("\(kind.rawValue) is read from files: a database is read for orders, users and catalogue")
    }
    if from?.isEmpty == true { throw ValidationError("--from is empty; name the database, such as postgresql://USER@HOST/DATABASE") }
    let text: String
    switch (query, relation) {
    case (let file?, nil): text = try PullSource.query(inFile: file)
    case (nil, let relation?) where from == nil: text = try PullSource.query(ofRelation: relation)
    default: throw ValidationError("name --from with --query, or --query or --relation of payrecon's own server")
    }
    var source = PullSource(
      name: name ?? PullSource.name(from: from, query: text), kind: kind,
      origin: from.map { .server(conninfo: $0) } ?? .own, query: text)
    guard let seconds = DurationText.seconds(overlap) else { throw ValidationError("--overlap \"\(overlap)\" is not a span such as 15m") }
    source.overlapSeconds = seconds
    if let watermark, !source.setWatermark(watermark) { throw ValidationError("--watermark \(PullSource.watermarkRule)") }
    return source
  }
}

struct IngestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Reads orders, users, the catalogue, Apple evidence, Apple's money or bank credits from files.",
    discussion: """
      A row or item that cannot be taken is parked (see `payrecon deadletter`) and stops nothing; a file whose header \
      cannot be used is refused whole. Prints input = accepted + repeated + ignored + parked; exit status 1 when rows were \
      parked and none was accepted or known.

      orders: the row with the greatest updated_at holds; one without counts by the clock on which it is read (--as-of). \
      users and catalogue carry no such instant: the row that is read on the later clock replaces all of the one before, \
      also the columns that it leaves out (a row without is_tester states that the user is none); of rows read \
      on one clock the greater one holds, and erased_at stays. A file read before, byte for byte, changes nothing.

      After a kill give the file again: it is read from its start, and what is stored counts as repeated.

      Rows of another platform are read by a mapping in the settings (inputs.orders.columns); --preview proposes one.

      finance: FINANCIAL, FINANCE_DETAIL, SALES, SUBSCRIBER and SUBSCRIPTION_EVENT of App Store Connect and the CSV of its \
      payments page, distinguished by the names of their columns. bank: a CSV of credits with the columns bank_date* \
      (2026-10-29), amount*, currency*, reference, account. A file about money is taken whole or not at all; one that is \
      refused is kept among the dead letters.
      """)

  @Argument(help: "What the files hold: orders, users, catalogue, apple, finance or bank.")
  var kind: InputKind

  @Argument(help: "Files to read; - is standard input.")
  var files: [String] = []

  @OptionGroup var database: DatabaseSourceOptions

  @Option(help: "csv or ndjson; default: by name, then by content.")
  var format: String?

  @Flag(help: "Print the first rows of one file as payrecon understands them, what is doubtful, and a mapping to paste; writes nothing.")
  var preview = false

  @Option(help: "Who sent evidence that does not say so: client, notification, api or import.")
  var source: EvidenceSource = .imported

  @OptionGroup var options: JobOptions

  func validate() throws {
    if preview {
      guard files.count == 1, files != ["-"], !database.isGiven, kind.rowType != nil else {
        throw ValidationError("--preview reads one file of orders, users or the catalogue")
      }
      return
    }
    guard files.isEmpty == database.isGiven else {
      throw ValidationError("name files to read, or --from with --query, or --relation")
    }
  }

  func run() async throws {
    let inputFormat = try format.map { text in
      guard let known = InputFormat(rawValue: text) else { throw ValidationError("--format \"\(text)\" is not csv or ndjson") }
      return known
    }
    if preview, let rowType = kind.rowType {
      return try await printPreview(of: rowType, path: files[0], inputFormat)
    }
    let context = try await options.context(label: "ingest")
    // Evidence is judged by the apps in the settings.
    if kind == .apple { try await Environment.requireSettings(for: "ingest apple", of: context) }
    let outcome =
      if let pulled = try database.source(of: kind) {
        try await PullJob(context: context).run(pulled, runID: "ingest")
      } else {
        try await IngestJob(context: context).run(
          kind: kind, files: files, format: inputFormat, source: source, runID: "ingest", resumes: false)
      }
    Output.write(line: "\(kind.rawValue): \(outcome.tally.text)")
    if outcome.tally.parked > 0 {
      context.log.warning("items parked", metadata: ["parked.count": "\(outcome.tally.parked)", "hint": "payrecon deadletter list"])
    }
    if kind == .users, outcome.tally.ignored > 0 {
      context.log.warning("rows of erased users ignored", metadata: ["user.count": "\(outcome.tally.ignored)"])
    }
    let truncated = outcome.truncatedFiles.map { "the input is incomplete: \($0.reason)" }
    if outcome.refusedFiles.isEmpty, !truncated.isEmpty { throw JobError(truncated.joined(separator: "\n"), status: .incomplete) }
    for line in truncated { context.log.warning("\(line)") }
    guard outcome.refusedFiles.isEmpty else { throw JobError(outcome.refusedFiles.map(\.reason.english).joined(separator: "\n")) }
    if outcome.tally.isAllParked { throw ExitStatusError(status: .breaks) }
  }

  /// Prints the first rows of a file as payrecon understands them. Needs no database and writes nothing.
  private func printPreview(of rowType: any InputRow.Type, path: String, _ format: InputFormat?) async throws {
    let settings = try Environment.settings()
    let mapping = settings.inputs[kind].mapping(of: path.split(separator: "/").last.map(String.init) ?? path)
    var facts = PreviewFacts()
    facts.finalNewlineIsOptional = settings.inputs[kind].finalNewlineIsOptional
    facts.apps = settings.apps.map { ($0.bundleID, $0.timeZone) }
    let ids = try InputPreview.transactionIDs(rowType, path: path, format: format, mapping: mapping)
    var hasDatabase = false
    // A private server that does not run is not started.
    if let conninfo = try await Environment.runningConninfo() {
      let connection = ConnectionSettings(conninfo: conninfo, applicationName: "payrecon preview")
      hasDatabase = await PreviewFactsReader.add(to: &facts, transactionIDs: ids, connection: connection, sql: try Environment.sqlFiles())
    }
    let preview = try InputPreview(rowType, path: path, format: format, mapping: mapping, facts: facts)
    for line in preview.lines { Output.write(line: line) }
    if kind == .orders, !hasDatabase {
      Output.write(line: "No database was at hand: amounts and times were not compared with the catalogue and Apple's.")
    }
  }
}
