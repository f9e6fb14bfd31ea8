import FoundationEssentials
import Postgres
import Testing
import TestSupport

/// Where a folder is not declared as values yet (`StatementValueTests`), the call that reads a file's rows is the one
/// declaration of what they hold: it is compared with what the server says
/// that the statement gives, column by column, whether or not a test ever sees a row.
@Suite struct StatementReadTests {
  /// A place in the sources where rows are read.
  private struct Call {
    var place: String
    /// File under the SQL folder; nil where the call does not name one.
    var path: String?
    /// What is read, in order, as `RowReader` calls it.
    var reads: [String]
  }

  @Test func everyCallReadsWhatItsStatementGives() async throws {
    let scenario = try await Scenario()
    let session = try await Session.open(scenario.connection)
    let columns = try await session.transaction { tx in try StatementCheck(files: TestServer.sql()).read(&tx).columns }
    await session.close()
    await scenario.end()
    let calls = try Self.calls()
    for call in calls {
      guard let path = call.path else { continue }
      let given = try #require(columns[path], "\(call.place) reads \(path), which is no statement")
      #expect(call.reads == given.map { $0.kind?.rawValue ?? "?" }, "\(call.place) reads \(path) otherwise than it is")
    }
    // Most name their file; those that are handed one are few, and read by what the row itself says at run time.
    #expect(calls.count { $0.path != nil } > 10)
    #expect(calls.count { $0.path == nil } < 20)
  }

  private static func calls() throws -> [Call] {
    let root = "\(TestServer.repository)/Sources"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Postgres/")
    }
    return try paths.sorted().flatMap { path in
      calls(in: try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8), of: path)
    }
  }

  private static func calls(in source: String, of path: String) -> [Call] {
    let folder = source.firstMatch(of: /SQLFile \{ try context\.sql\("(\w+)\/\\\(name\)\.sql"\)/)?.output.1
    return source.ranges(of: "tx.rows(").compactMap { range in
      let open = source.index(before: range.upperBound)
      guard let close = end(of: open, in: source) else { return nil }
      let arguments = source[range.upperBound..<close]
      let line = source[..<range.lowerBound].count { $0 == "\n" } + 1
      let after = source[source.index(after: close)...]
      var reader = String(arguments)
      if after.hasPrefix(" {"), let last = end(of: after.index(after: after.startIndex), in: source) {
        reader = String(source[close...last])
      } else if let name = arguments.firstMatch(of: /decode: (?:\w+\.)?(\w+)$/)?.output.1 {
        reader = function("\(name)", in: source)
      } else if !reader.contains("row.") {
        // Read as a value declares it.
        return nil
      }
      let reads = reader.matches(of: /\brow\.(\w+)\(\)/).map { kind("\($0.output.1)") }
      let file = statement(arguments, before: source[..<range.lowerBound], folder: folder.map(String.init))
      return Call(place: "\(path):\(line)", path: reads.isEmpty ? nil : file, reads: reads)
    }
  }

  /// Where a bracket closes.
  private static func end(of open: String.Index, in source: String) -> String.Index? {
    let (opening, closing): (Character, Character) = source[open] == "(" ? ("(", ")") : ("{", "}")
    var depth = 0
    for index in source[open...].indices {
      if source[index] == opening { depth += 1 }
      if source[index] == closing { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The text of a function that decodes a row.
  private static func function(_ name: String, in source: String) -> String {
    guard let start = source.ranges(of: "func \(name)(_ row: inout RowReader").first,
      let open = source[start.upperBound...].firstIndex(of: "{"), let close = end(of: open, in: source)
    else { return "" }
    return String(source[open...close])
  }

  /// `optionalInt8` reads what `int8` does.
  private static func kind(_ name: String) -> String {
    guard name.hasPrefix("optional") else { return name }
    let rest = name.dropFirst("optional".count)
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// The file that the first argument names, or the constant that stands there.
  private static func statement(_ arguments: Substring, before: Substring, folder: String?) -> String? {
    let first = arguments.prefix { $0 != "," }
    if let named = first.firstMatch(of: /sql\("([^"\\]+)"\)/)?.output.1 { return String(named) }
    if let folder, let named = first.firstMatch(of: /file\("([^"\\]+)"\)/)?.output.1 { return "\(folder)/\(named).sql" }
    let word = first.filter { !$0.isWhitespace }
    guard word.allSatisfy({ $0.isLetter }), let place = before.ranges(of: "let \(word) = ").last else { return nil }
    let line = before[place.upperBound...].prefix { $0 != "\n" }
    return line.firstMatch(of: /^try (?:\w+\.)*sql\("([^"\\]+)"\)/).map { String($0.output.1) }
  }
}
