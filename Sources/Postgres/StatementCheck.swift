/// A statement of a file that the database does not take, or that is not as it is declared.
public struct StatementFault: Sendable, CustomStringConvertible {
  /// Path under the SQL folder.
  public var path: String
  /// What the server said, or what it says otherwise.
  public var text: String
  public var description: String { "\(path): \(text)" }
}

/// Has the server read every statement of the SQL files without running one, so that a table, a column or a type that
/// is not there is found by day.
///
/// Statements speak of work tables that others make: these are made first, empty, in whatever order the server takes
/// them. All of it is undone.
public struct StatementCheck: Sendable {
  private let files: SQLFiles
  private let declared: [any DeclaredStatement]

  /// - Parameter declared: statements whose parameters and cells are compared with what the server says of them.
  public init(files: SQLFiles, declared: [any DeclaredStatement] = []) {
    self.files = files
    self.declared = declared
  }

  /// The statements that the server refuses, by path, then those that are not as they are declared; none when all fit. The
  /// transaction is left as it was found.
  ///
  /// - Throws: `PostgresError` when the database cannot be asked.
  public func run(_ tx: inout DatabaseTransaction) throws -> [StatementFault] {
    let (faults, columns, parameters) = try read(&tx)
    let refused = Set(faults.map(\.path))
    let other = declared.filter { !($0 is Script) && !refused.contains($0.path) }.compactMap { statement in
      Self.difference(statement, columns: columns[statement.path], parameters: parameters[statement.path])
        .map { StatementFault(path: statement.path, text: $0) }
    }
    return faults + other
  }

  private static func difference(
    _ statement: any DeclaredStatement, columns: [ResultColumn]?, parameters: [String: ValueKind?]?
  ) -> String? {
    guard let parameters, let columns else { return "it is no statement" }
    let expected = statement.parameters.mapValues { Optional($0) }
    guard parameters == expected else { return "it takes \(words(parameters)), and is given \(words(expected))" }
    // What is run for what it does, such as a lock, may give a row that nobody reads.
    guard let cells = statement.cells, !cells.isEmpty else { return nil }
    let kinds = columns.map(\.kind)
    return kinds == cells ? nil : "it gives \(words(kinds)), and is read as \(words(cells))"
  }

  private static func words(_ parameters: [String: ValueKind?]) -> String {
    let named = parameters.sorted { $0.key < $1.key }.map { "\($0.key) \(words([$0.value]))" }
    return named.isEmpty ? "nothing" : named.joined(separator: ", ")
  }

  private static func words(_ kinds: [ValueKind?]) -> String {
    kinds.map { $0?.rawValue ?? "what cannot be read" }.joined(separator: ", ")
  }

  /// As `run`, with the columns that each file's statement gives and the parameters that it takes, by path.
  public func read(
    _ tx: inout DatabaseTransaction
  ) throws -> (faults: [StatementFault], columns: [String: [ResultColumn]], parameters: [String: [String: ValueKind?]]) {
    let statements = try files.statementPaths.flatMap { path in
      try CheckedStatement.all(in: files.file(path), text: files.text(path))
    }
    try tx.execute("savepoint before_check")
    let faults = try make(statements.filter(\.makes).map { ($0, nil) }, &tx)
    var refused: [Refused] = []
    var columns: [String: [ResultColumn]] = [:]
    var parameters: [String: [String: ValueKind?]] = [:]
    let unmade = Set(faults.map(\.statement.file.path))
    for statement in statements where statement.isQuery && !(statement.makes && unmade.contains(statement.file.path)) {
      let refusal = try Self.refusal(&tx) { tx throws(PostgresError) in
        columns[statement.file.path] = try tx.columns(of: statement.file)
        parameters[statement.file.path] = try tx.parameterKinds(of: statement.file)
      }
      if let refusal { refused.append((statement, refusal)) }
    }
    try tx.execute("rollback to savepoint before_check; release savepoint before_check")
    let all = (faults + refused).map { StatementFault(path: $0.statement.file.path, text: $0.refusal?.description ?? "") }
    return (all.sorted { ($0.path, $0.text) < ($1.path, $1.text) }, columns, parameters)
  }

  private typealias Refused = (statement: CheckedStatement, refusal: ServerError?)

  /// Makes work tables, round by round as long as one more can be made; returns those that cannot.
  private func make(_ given: [Refused], _ tx: inout DatabaseTransaction) throws -> [Refused] {
    var waiting = given
    while true {
      var left: [Refused] = []
      for (statement, _) in waiting {
        var refusal = try Self.refusal(&tx) { tx throws(PostgresError) in
          try tx.runEmpty(statement.file)
        }
        // Another file makes the same one in another way: that the server can read it is all that is asked.
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

  /// What the server says against a trial; nil when it took it.
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

/// One statement of a file, ready to be tried.
private struct CheckedStatement: Sendable {
  var file: SQLFile
  /// Whether the statement makes or alters a work table or view.
  var makes: Bool
  /// Whether the server can prepare it.
  var isQuery: Bool

  static func all(in file: SQLFile, text: String) -> [CheckedStatement] {
    SQLFile.statements(of: text).map { source in
      let making = #/
        ^(create\ temp(orary)?\ (?<kind>table|view)\ (if\ not\ exists\ )?|alter\ table\ (?=\w+\ add\ column))
        \w+(?<columns>\ \()?
        /#
      guard let match = try? making.firstMatch(in: source) else {
        let query = /^(select|with|insert|update|delete|values)\b/
        let isQuery = (try? query.firstMatch(in: source)) != nil
        return CheckedStatement(file: SQLFile(path: file.path, source: source), makes: false, isQuery: isQuery)
      }
      // Made without rows: nothing is read.
      let isFilled = match.output.kind == "table" && match.output.columns == nil
      let empty = isFilled && !source.hasSuffix("with no data") ? "\(source)\nwith no data" : source
      return CheckedStatement(file: SQLFile(path: file.path, source: empty), makes: true, isQuery: isFilled)
    }
  }
}
