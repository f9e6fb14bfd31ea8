/// A statement of a file that the database does not take.
public struct StatementFault: Sendable, CustomStringConvertible {
  /// Path under the SQL folder.
  public var path: String
  /// What the server said.
  public var text: String
  public var description: String { "\(path): \(text)" }
}

/// Has the server read every statement of the SQL files without running one, so that a table, a column or a type that
/// is not there is found by day.
///
/// Statements speak of work tables that others make: these are made first, empty, in whatever order the server takes
/// them. A work table that stands in front of a table of the same name shows fewer columns, so what does not fit before
/// it is made may fit after it. All of it is undone.
public struct StatementCheck: Sendable {
  private let files: SQLFiles

  public init(files: SQLFiles) { self.files = files }

  /// The statements that the server refuses, by path; none when all fit. The transaction is left as it was found.
  ///
  /// - Throws: `PostgresError` when the database cannot be asked.
  public func run(_ tx: inout Transaction) throws -> [StatementFault] {
    let statements = try files.statementPaths.flatMap { path in
      try CheckedStatement.all(in: files(path), text: files.text(path))
    }
    try tx.execute("savepoint before_check")
    let real = Set(try tx.rows(Self.tablesFile) { row throws(PostgresError) in try row.text() })
    let making = statements.filter { $0.made != nil }
    var faults = try make(making.filter { !real.contains($0.made ?? "") }.map { ($0, nil) }, &tx)
    var refused = try prepare(statements.filter { $0.made == nil && $0.isQuery }, &tx)
    // What alters a real table is none of ours to try.
    let shading = making.filter { real.contains($0.made ?? "") && !$0.file.text.hasPrefix("alter") }
    faults = try make(faults + shading.map { ($0, nil) }, &tx)
    refused = try prepare(refused.map(\.statement), &tx)
    try tx.execute("rollback to savepoint before_check; release savepoint before_check")
    return (faults + refused).map { StatementFault(path: $0.statement.file.path, text: $0.refusal?.description ?? "") }
      .sorted { ($0.path, $0.text) < ($1.path, $1.text) }
  }

  private typealias Refused = (statement: CheckedStatement, refusal: ServerError?)

  /// Makes work tables, round by round as long as one more can be made; returns those that cannot.
  private func make(_ given: [Refused], _ tx: inout Transaction) throws -> [Refused] {
    var waiting = given
    while true {
      var left: [Refused] = []
      for (statement, _) in waiting {
        var refusal = try Self.refusal(of: statement.file, to: .run, &tx)
        // Another file makes the same one in another way: that the server can read it is all that is asked.
        if refusal?.sqlState.code == "42P07" { refusal = try Self.refusal(of: statement.file, to: .prepare, &tx) }
        if let refusal { left.append((statement, refusal)) }
      }
      if left.isEmpty || left.count == waiting.count { return left }
      waiting = left
    }
  }

  private func prepare(_ statements: [CheckedStatement], _ tx: inout Transaction) throws -> [Refused] {
    var left: [Refused] = []
    for statement in statements {
      if let refusal = try Self.refusal(of: statement.file, to: .prepare, &tx) { left.append((statement, refusal)) }
    }
    return left
  }

  private enum Trial { case run, prepare }

  /// What the server said against it; nil when it took it.
  private static func refusal(
    of file: SQLFile, to trial: Trial, _ tx: inout Transaction
  ) throws(PostgresError) -> ServerError? {
    try tx.execute("savepoint statement")
    var refusal: ServerError?
    do {
      switch trial {
      case .run: try tx.runEmpty(file)
      case .prepare: try tx.prepare(file)
      }
    } catch {
      guard case .server(let said) = error else { throw error }
      refusal = said
    }
    try tx.execute("\(refusal == nil ? "" : "rollback to savepoint statement; ")release savepoint statement")
    return refusal
  }

  private static let tablesFile = SQLFile(
    path: "tables and views of the schema",
    source: """
      select tablename::text from pg_tables where schemaname = 'payrecon'
      union all
      select viewname::text from pg_views where schemaname = 'payrecon'
      """)
}

/// One statement of a file, ready to be tried.
private struct CheckedStatement: Sendable {
  var file: SQLFile
  /// Work table or view that the statement makes or alters.
  var made: String?
  /// Whether the server can prepare it.
  var isQuery: Bool

  static func all(in file: SQLFile, text: String) -> [CheckedStatement] {
    SQLFile.statements(of: text).map { source in
      let making = #/
        ^(create\ temp(orary)?\ (?<kind>table|view)\ (if\ not\ exists\ )?|alter\ table\ (?=\w+\ add\ column))
        (?<name>\w+)(?<columns>\ \()?
        /#
      guard let match = try? making.firstMatch(in: source) else {
        let query = /^(select|with|insert|update|delete|values)\b/
        let isQuery = (try? query.firstMatch(in: source)) != nil
        return CheckedStatement(file: SQLFile(path: file.path, source: source), made: nil, isQuery: isQuery)
      }
      // Made without rows: nothing is read.
      let isFilled = match.output.kind == "table" && match.output.columns == nil && !source.hasSuffix("with no data")
      let empty = isFilled ? "\(source)\nwith no data" : source
      return CheckedStatement(
        file: SQLFile(path: file.path, source: empty), made: String(match.output.name), isQuery: false)
    }
  }
}
