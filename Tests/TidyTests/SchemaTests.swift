import Foundation

/// Tables, columns and indexes in `sql/schema` have comments, and the pages of the tables agree with them.
@Suite struct SchemaTests {
  @Test func everyTableAndColumnHasAComment() throws {
    let schema = try SchemaText(root: Repository.root)
    try #require(schema.tables.count > 100)
    #expect(schema.faults == [])
    let names = Set(schema.tables.map(\.name))
    #expect(names.count == schema.tables.count)
    let unknown = schema.tables.flatMap { table in table.references.subtracting(names).map { "\(table.name) names \($0)" } }
    #expect(unknown == [])
  }

  /// The pages of the tables agree with the files. PAYRECON_WRITE_SCHEMA=1 writes the pages.
  @Test func thePagesShowTheTables() throws {
    let schema = try SchemaText(root: Repository.root)
    for (name, page) in [("Schema", schema.diagramPage), ("Tables", schema.listPage)] {
      let path = "\(Repository.root)/Sources/payrecon/payrecon.docc/Reference/\(name).md"
      if ProcessInfo.processInfo.environment["PAYRECON_WRITE_SCHEMA"] != nil { try Data(page.utf8).write(to: URL(filePath: path)) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == page)
    }
  }

  @Test func `functions are stored in folders by subject`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/sql/functions")
    #expect(names.filter { $0.hasSuffix(".sql") } == [])
  }

  @Test func `tables distributed over several nodes use a column of their primary key, if they have one`() throws {
    let tables = try SchemaText(root: Repository.root).tables
    let rows = try Repository.text("sql/distribution.csv").split(separator: "\n").dropFirst()
    let pairs = rows.map { $0.split(separator: ",").map(String.init) }
    #expect(Set(pairs.map { $0[0] }).count == pairs.count)
    for pair in pairs {
      let table = try #require(tables.first { $0.name == pair[0] }, "\(pair[0])")
      #expect(table.columns.contains { $0.name == pair[1] } && (table.key.isEmpty || table.key.contains(pair[1])), "\(pair[0])")
    }
  }
}
