import FoundationEssentials
import Postgres
import TestSupport
import Testing

/// A developer tries break classes with psql on all orders and charges. Nothing of it is stored.
@Suite(.cleansUp) struct BreakClassTrialTests {
  @Test func everyClassCanBeTriedWithPsql() async throws {
    let setup = try await Setup()
    let orders = try setup.write(
      "orders.csv",
      """
      order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency
      PO-1,com.acme.reader,coins,U1,paid,2026-05-01T10:00:00Z,6000,CNY

      """)
    try await setup.program("ingest", "orders", orders, "--as-of", "2026-05-12T00:00:00Z", exits: 0)
    let classes = try TestServer.sql().paths.filter { $0.hasPrefix("detect/classes/") }
    #expect(classes.count > 15)
    let folder = "\(TestServer.repository)/sql"
    var words = ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1", "-v", "as_of=2026-05-12T00:00:00Z", "-f", "\(folder)/inputs/all.psql"]
    for file in classes { words += ["-f", "\(folder)/\(file)"] }
    words += ["-c", "select class, order_id from finding", setup.connection.conninfo]
    let tried = try await setup.program.run(words, exits: 0)
    #expect(tried.text.split(separator: "\n") == ["ORDER_NO_TX|PO-1"], "\(tried.text)")
    #expect(try await setup.query("select count(*) from payrecon.break_events") == "0")
  }

  /// New SQL in the developers' guide runs as printed.
  @Test func diffsOfTheGuideRun() async throws {
    let setup = try await Setup()
    let files = try GuideDiff.all().compactMap { diff in
      diff.path.firstMatch(of: /^sql\/(?:detect|rules)\/(?:\w+\/)?(\w+\.sql)$/).map { (String($0.output.1), diff.added) }
    }
    #expect(files.count == 2)
    var words = ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1", "-v", "orders_min=20"]
    for (name, text) in [("all.psql", "\\i '\(TestServer.repository)/sql/inputs/all.psql'\n")] + files {
      words += ["-f", try setup.write(name, text)]
    }
    try await setup.program.run(words + [setup.connection.conninfo], exits: 0)
  }

  /// Changed files contain the guide's old lines, and added files do not exist yet.
  @Test func diffsOfTheGuideFit() throws {
    let diffs = try GuideDiff.all()
    #expect(Set(diffs.map(\.page)).count == 9)
    for diff in diffs {
      let path = "\(TestServer.repository)/\(diff.path)"
      // A report section is shown in its final form.
      let isThere = diff.section.hasPrefix("A section")
      let wanted = isThere ? diff.lines.map { String($0.dropFirst()) } : diff.before
      guard FileManager.default.fileExists(atPath: path) else {
        #expect(wanted.isEmpty, "\(diff.path) is no file")
        continue
      }
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      for line in wanted { #expect(lines.contains(line), "\(diff.path) does not hold: \(line)") }
      // A file that only gains lines is a list.
      let isList = diff.path.hasSuffix(".csv") || diff.path.hasSuffix("column_words.sql") || diff.path.hasSuffix(".swift")
        || diff.path.hasSuffix("en.txt")
      #expect(isList || isThere, "\(diff.path) is a file already")
    }
  }

  @Test func rulesCanBeTriedWithPsql() async throws {
    let setup = try await Setup()
    let orders = try setup.write(
      "orders.csv",
      """
      order_id,bundle_id,product_id,user_id,status,created_at,transaction_id
      PO-1,com.acme.reader,coins,U1,paid,2026-05-01T10:00:00Z,T1

      """)
    try await setup.program("ingest", "orders", orders, "--as-of", "2026-05-12T00:00:00Z", exits: 0)
    let folder = "\(TestServer.repository)/sql"
    var words = ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1"]
    // Two abuse rules without parameters.
    for file in ["inputs/all.psql", "rules/r01_receipt_replay.sql", "rules/r04_sandbox_leak.sql"] {
      words += ["-f", "\(folder)/\(file)"]
    }
    words += ["-c", "select order_id, transaction_id from in_orders where not exists (select from signal_found)"]
    words += [setup.connection.conninfo]
    let tried = try await setup.program.run(words, exits: 0)
    #expect(tried.text.split(separator: "\n") == ["PO-1|T1"], "\(tried.text)")
  }
}
