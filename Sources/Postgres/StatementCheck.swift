/// A statement of a file that the database rejects, or that differs from its declaration.
public struct StatementFault: Sendable, CustomStringConvertible {
  /// Path under the SQL folder.
  public var path: String
  /// The server's error, or the difference.
  public var text: String
  public var description: String { "\(path): \(text)" }
}

/// A check of all SQL statements against a database without running them. It finds missing tables, columns and types before a night.
///
/// Statements refer to working tables of other statements. The check first creates these tables without rows, in an order that the server
/// accepts, and finally rolls everything back.
public struct StatementCheck: Sendable {
  private let files: SQLFiles
  private let declared: [any DeclaredStatement]

  /// - Parameter declared: statements whose cells and headers are compared with the server's description.
  public init(files: SQLFiles, declared: [any DeclaredStatement] = []) {
    self.files = files
    self.declared = declared
  }

  /// Returns the statements that the server rejects, by path, then those that differ from their declaration. Leaves the transaction
  /// unchanged.
  ///
  /// - Throws: `PostgresError` if the database cannot be queried.
  public func run(_ tx: inout DatabaseTransaction) throws -> [StatementFault] {
    let (faults, columns, parameters) = try read(&tx)
    let refused = Set(faults.map(\.path))
    let other = declared.filter { !($0 is Script) && !refused.contains($0.path) }.compactMap { statement in
      difference(statement, columns: columns[statement.path], parameters: parameters[statement.path])
        .map { StatementFault(path: statement.path, text: $0) }
    }
    return faults + other
  }

  private func difference(_ statement: any DeclaredStatement, columns: [ResultColumn]?, parameters: [String: ValueKind?]?) -> String? {
    guard let parameters, let columns else { return "it is no statement" }
    let listed = (try? files.listedParameters(of: statement.path)) ?? [:]
    let missing = parameters.filter { $0.value == nil || $0.value?.rawValue != listed[$0.key] }
    guard missing.isEmpty else { return "its header does not list \(Self.words(missing))" }
    if let passed = statement.passed, let unknown = parameters.keys.filter({ !passed.contains($0) }).min() {
      return "it takes \(unknown), and is given only \(passed.sorted().joined(separator: ", "))"
    }
    // A statement run for its effect, such as a lock, may return a row that is not read.
    guard let cells = statement.cells, !cells.isEmpty else { return nil }
    let kinds = columns.map(\.kind)
    return kinds == cells ? nil : "it gives \(Self.words(kinds)), and is read as \(Self.words(cells))"
  }

  private static func words(_ parameters: [String: ValueKind?]) -> String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key) (\(words([$0.value])))" }.joined(separator: ", ")
  }

  private static func words(_ kinds: [ValueKind?]) -> String {
    kinds.map { $0?.rawValue ?? "what cannot be read" }.joined(separator: ", ")
  }

  /// Returns the rejected statements, and by path the result columns and parameters of the others.
  public func read(
    _ tx: inout DatabaseTransaction
  ) throws -> (faults: [StatementFault], columns: [String: [ResultColumn]], parameters: [String: [String: ValueKind?]]) {
    let statements = try files.statementPaths.flatMap { path in
      try CheckedStatement.all(in: files.file(path), text: files.text(path))
    }
    try tx.execute("savepoint before_check")
    let faults = try createTables(statements.filter(\.creates).map { ($0, nil) }, &tx)
    var refused: [Refused] = []
    var columns: [String: [ResultColumn]] = [:]
    var parameters: [String: [String: ValueKind?]] = [:]
    let missing = Set(faults.map(\.statement.file.path))
    for statement in statements where statement.isQuery && !(statement.creates && missing.contains(statement.file.path)) {
      let refusal = try Self.refusal(&tx) { tx throws(PostgresError) in
        (columns[statement.file.path], parameters[statement.file.path]) = try tx.describe(statement.file)
      }
      if let refusal { refused.append((statement, refusal)) }
    }
    try tx.execute("rollback to savepoint before_check; release savepoint before_check")
    let all = (faults + refused).map { StatementFault(path: $0.statement.file.path, text: $0.refusal?.description ?? "") }
    return (all.sorted { ($0.path, $0.text) < ($1.path, $1.text) }, columns, parameters)
  }

  private typealias Refused = (statement: CheckedStatement, refusal: ServerError?)

  /// Creates working tables, and repeats while another one succeeds. Returns those that fail.
  private func createTables(_ given: [Refused], _ tx: inout DatabaseTransaction) throws -> [Refused] {
    var waiting = given
    while true {
      var left: [Refused] = []
      for (statement, _) in waiting {
        var refusal = try Self.refusal(&tx) { tx throws(PostgresError) in try tx.runEmpty(statement.file) }
        // Another file creates the same table in a different way. It suffices that the server can prepare this one.
        if refusal?.sqlState.code == "42P07" {
          refusal = try Self.refusal(&tx) { tx throws(PostgresError) in
            _ = try tx.columns(of: statement.file)
          }
        }
        if let refusal { left.append((statement, refusal)) }
      }
      if left.isEmpty || left.count == waiting.count { return left }
      waiting = left
    }
  }

  /// Returns the server's error for a trial; nil if it succeeded.
  private static func refusal(
    _ tx: inout DatabaseTransaction, trial: (inout DatabaseTransaction) throws(PostgresError) -> Void
  ) throws(PostgresError) -> ServerError? {
    try tx.execute("savepoint statement")
    var refusal: ServerError?
    do {
      try trial(&tx)
    } catch {
      guard case .server(let said) = error else { throw error }
      refusal = said
    }
    try tx.execute("\(refusal == nil ? "" : "rollback to savepoint statement; ")release savepoint statement")
    return refusal
  }
}

/// One statement of a file, prepared for a trial.
private struct CheckedStatement: Sendable {
  var file: SQLFile
  /// Whether the statement creates or alters a working table or view.
  var creates: Bool
  /// Whether the server can prepare it.
  var isQuery: Bool

  static func all(in file: SQLFile, text: String) -> [CheckedStatement] {
    BoundStatement.all(in: text, file: file.path).map(\.text).map { source in
      let making =
        #/
        ^(create\ temp(orary)?\ (?<kind>table|view)\ (if\ not\ exists\ )?|alter\ table\ (?=\w+\ add\ column))
        \w+(?<columns>\ \()?
        /#
      guard let match = try? making.firstMatch(in: source) else {
        let query = /^(select|with|insert|update|delete|values)\b/
        let isQuery = (try? query.firstMatch(in: source)) != nil
        return CheckedStatement(file: SQLFile(path: file.path, source: source), creates: false, isQuery: isQuery)
      }
      // The table is created without rows, so nothing is read.
      let isFilled = match.output.kind == "table" && match.output.columns == nil
      let empty = isFilled && !source.hasSuffix("with no data") ? "\(source)\nwith no data" : source
      return CheckedStatement(file: SQLFile(path: file.path, source: empty), creates: true, isQuery: isFilled)
    }
  }
}
