/// Statements that a database with large tables distributed by a key would refuse.
///
/// Accepted statements have three steps. They look up rows by an inner join of a small set with one large table by its key. They
/// decide in working tables, and they write by key. Each statement is checked alone by its text, without the text of its views and
/// functions.
struct PortableSQL {
  enum Fault: String {
    /// An outer join of a large table that does not compare the keys of both sides. The optional side may be small.
    case outerJoin = "outer join"
    /// A correlated subquery that does not compare the keys of both: exists, not exists, lateral.
    case subquery
    /// Two large tables joined by other columns than their keys.
    case repartition
    /// A subquery without columns: `exists (select from …)`.
    case emptySelect = "empty select"
    case keyUpdate = "key update"
  }

  /// Distribution column by table. Functions over these tables may be in any language, because SQL functions are recreated in
  /// PL/pgSQL there.
  let keys: [String: String]

  private struct Item {
    var alias: String
    /// Distribution key; nil for a small table.
    var key: String?
    var column: String? { key.map { "\(alias).\($0)" } }
  }

  private struct Join {
    var kind: String
    var left: Range<Int>
    var right: Int
    var isLateral: Bool
  }

  /// One select, update or delete, without the content of parentheses.
  private struct Block {
    var items: [Item] = []
    var joins: [Join] = []
    /// Compared and computed expressions.
    var conditions: [[SQLToken]] = [[]]
    var subqueries: [(tokens: [SQLToken], itemCount: Int)] = []
    var same = Equalities()
  }

  /// Returns the faults in a file's text.
  func faults(in text: String) -> [Fault] {
    var found = Reading(keys: keys)
    for statement in SQLToken.statements(of: text) { found.statement(statement) }
    return found.faults
  }

  private struct Reading {
    let keys: [String: String]
    var faults: [Fault] = []

    private static let clauses: Set<String> = [
      "where", "group", "having", "window", "order", "limit", "offset", "fetch", "for", "returning", "set", "union",
      "intersect", "except", "loop", "values", "select", "on", "using", "tablesample", "repeatable",
    ]
    private static let joining: Set<String> = ["inner", "left", "right", "full", "cross", "natural", "join", "outer"]

    mutating func statement(_ tokens: [SQLToken]) {
      // Words before the query, such as `begin`, `return query` and `create table … as`, are ignored.
      let starts: Set<String> = ["with", "select", "insert", "update", "delete"]
      let first = tokens.indices.first { index in
        starts.contains(tokens[index].word ?? "") && (tokens[index].word != "with" || Self.isWith(tokens, index))
      }
      query(Array(tokens[(first ?? tokens.startIndex)...]), names: [], around: nil)
    }

    private static func isWith(_ tokens: [SQLToken], _ index: Int) -> Bool {
      guard tokens[index].word == "with", index + 3 < tokens.count, let next = tokens[index + 1].word else { return false }
      return next == "recursive" || tokens[index + 2].word == "as" || tokens[index + 3].word == "as"
    }

    private static func isQuery(_ tokens: [SQLToken]) -> Bool {
      guard let first = tokens.first else { return false }
      if let inside = first.group, isQuery(inside) { return true }
      return ["select", "with", "values", "insert", "update", "delete"].contains(first.word ?? "")
    }

    /// Reads a query with its common tables and its parts joined by `union` and the like.
    mutating func query(_ tokens: [SQLToken], names: Set<String>, around: Block?) {
      var names = names
      var at = 0
      if Self.isWith(tokens, 0) {
        at = 1
        if tokens[at].word == "recursive" { at += 1 }
        var bodies: [[SQLToken]] = []
        while at < tokens.count, let name = tokens[at].word {
          names.insert(name)
          while at < tokens.count, tokens[at].word != "as" { at += 1 }
          while at < tokens.count, tokens[at].group == nil { at += 1 }
          if at < tokens.count, let body = tokens[at].group { bodies.append(body) }
          at += 1
          guard at < tokens.count, tokens[at].isSymbol(",") else { break }
          at += 1
        }
        for body in bodies { query(body, names: names, around: around) }
      }
      guard at < tokens.count else { return }
      for part in tokens[at...].split(whereSeparator: { ["union", "intersect", "except"].contains($0.word ?? "") }) {
        let part = part.first?.word == "all" || part.first?.word == "distinct" ? part.dropFirst() : part
        if part.count == 1, let inside = part.first?.group {
          query(inside, names: names, around: around)
        } else {
          block(Array(part), names: names, around: around)
        }
      }
    }

    // MARK: Reading one block

    private mutating func block(_ tokens: [SQLToken], names: Set<String>, around: Block?) {
      var block = Block()
      if let around { block.same = around.same }
      var at = 0
      switch tokens.first?.word {
      case "update":
        at = item(tokens, 1, names, &block, around)
        if let key = block.items.first?.key, Self.sets(key, tokens) { faults.append(.keyUpdate) }
      case "delete": at = item(tokens, 2, names, &block, around)
      case "insert": at = 3
      default: break
      }
      while at < tokens.count {
        if at > 0, Self.isWith(tokens, at) {
          query(Array(tokens[at...]), names: names, around: nil)
          break
        }
        let isRelation = tokens[at].word == "from" && (at == 0 || tokens[at - 1].word != "distinct")
        if isRelation || (tokens[at].word == "using" && tokens.first?.word == "delete") {
          at = relations(tokens, at + 1, names, &block, around)
        } else {
          take(tokens[at], into: &block)
          at += 1
        }
      }
      judge(block, tokens, names, around)
    }

    private static func sets(_ key: String, _ tokens: [SQLToken]) -> Bool {
      guard let set = tokens.firstIndex(where: { $0.word == "set" }) else { return false }
      let end = tokens[set...].firstIndex { $0.word == "from" || $0.word == "where" } ?? tokens.endIndex
      return tokens[set..<end].indices.dropLast().contains { index in
        tokens[index].word == key && tokens[index + 1].isSymbol("=") && (tokens[index - 1].word == "set" || tokens[index - 1].isSymbol(","))
      }
    }

    /// Adds a token of a condition or of a computed expression.
    private func take(_ token: SQLToken, into block: inout Block) {
      if let word = token.word, ["where", "and", "on", "having", "from"].contains(word) {
        block.conditions.append([])
        return
      }
      block.conditions[block.conditions.count - 1].append(token)
      for query in Self.queries(in: token) { block.subqueries.append((query, block.items.count)) }
    }

    /// Returns the subqueries in an expression, each without its surroundings.
    private static func queries(in token: SQLToken) -> [[SQLToken]] {
      guard let inside = token.group else { return [] }
      return isQuery(inside) ? [inside] : inside.flatMap(queries)
    }

    /// Reads the relations from `from` up to the next clause. Returns the start of that clause.
    private mutating func relations(
      _ tokens: [SQLToken], _ start: Int, _ names: Set<String>, _ block: inout Block, _ around: Block?
    ) -> Int {
      var first = block.items.count
      var at = item(tokens, start, names, &block, around)
      while at < tokens.count {
        let word = tokens[at].word ?? ""
        if tokens[at].isSymbol(",") {
          first = block.items.count
          at = item(tokens, at + 1, names, &block, around)
        } else if Self.joining.contains(word), at + 1 < tokens.count, tokens[at + 1].group == nil || word == "join" {
          let kind = word
          while at < tokens.count, tokens[at].word != "join" { at += 1 }
          at += 1
          let isLateral = at < tokens.count && tokens[at].word == "lateral"
          let left = first..<block.items.count
          at = item(tokens, at, names, &block, around)
          block.joins.append(Join(kind: kind, left: left, right: block.items.count - 1, isLateral: isLateral))
        } else if word == "on", at + 1 < tokens.count, tokens[at + 1].word != "conflict" {
          at = condition(tokens, at + 1, &block)
        } else if word == "using", let columns = at + 1 < tokens.count ? tokens[at + 1].group : nil {
          for column in columns.compactMap(\.word) {
            for index in first..<(block.items.count - 1) {
              block.same.join("\(block.items[index].alias).\(column)", "\(block.items[block.items.count - 1].alias).\(column)")
            }
          }
          at += 2
        } else {
          return at
        }
      }
      return at
    }

    private func condition(_ tokens: [SQLToken], _ start: Int, _ block: inout Block) -> Int {
      block.conditions.append([])
      var at = start
      while at < tokens.count, !tokens[at].isSymbol(",") {
        let word = tokens[at].word ?? ""
        let isCall = at + 1 < tokens.count && tokens[at + 1].group != nil && word != "join" && word != "on"
        if !isCall, Self.joining.contains(word) || Self.clauses.contains(word) { break }
        take(tokens[at], into: &block)
        at += 1
      }
      block.conditions.append([])
      return at
    }

    /// Reads a table, a function or a subquery with its alias. Returns the position after it.
    private mutating func item(_ tokens: [SQLToken], _ start: Int, _ names: Set<String>, _ block: inout Block, _ around: Block?) -> Int {
      var at = start
      while at < tokens.count, ["only", "lateral"].contains(tokens[at].word ?? "") { at += 1 }
      guard at < tokens.count else { return at }
      let isLateral = tokens[start].word == "lateral"
      var item = Item(alias: "")
      if let inside = tokens[at].group {
        if Self.isQuery(inside) {
          query(inside, names: names, around: isLateral ? block : around)
        } else {
          _ = relations(inside, 0, names, &block, around)
          return at + 1
        }
      } else if let word = tokens[at].word, at + 1 < tokens.count, tokens[at + 1].group != nil,
        !Self.clauses.contains(word), keys[Self.last(word)] == nil
      {
        for query in Self.queries(in: tokens[at + 1]) { block.subqueries.append((query, block.items.count)) }
        item.alias = Self.last(word)
        at += 1
      } else if let word = tokens[at].word {
        item = table(word, names)
      }
      at += 1
      if at < tokens.count, tokens[at].word == "as" { at += 1 }
      if at < tokens.count, let alias = tokens[at].word, !Self.clauses.contains(alias), !Self.joining.contains(alias) {
        item.alias = alias
        at += 1
        if at < tokens.count, tokens[at].group != nil { at += 1 }
      }
      block.items.append(item)
      return at
    }

    private static func last(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    private mutating func table(_ name: String, _ names: Set<String>) -> Item {
      let parts = name.split(separator: ".")
      let last = Self.last(name)
      let isOurs = parts.count == 1 ? !names.contains(name) : parts.first == "payrecon"
      guard isOurs, let key = keys[last] else { return Item(alias: last) }
      return Item(alias: last, key: key)
    }

    // MARK: Checking it

    private mutating func judge(_ given: Block, _ tokens: [SQLToken], _ names: Set<String>, _ around: Block?) {
      var block = given
      for condition in block.conditions { block.same.read(condition) }
      if tokens.count > 1, tokens[0].word == "select", ["from", "where"].contains(tokens[1].word ?? "") {
        faults.append(.emptySelect)
      }
      let wrong = block.joins.filter { isRefused($0, block) }
      faults += wrong.map { _ in Fault.outerJoin }
      let lone = Set(wrong.map(\.right))
      let places = block.items.indices.filter { !lone.contains($0) }.compactMap { block.items[$0].column.map(block.same.root) }
      if Set(places).count > 1 { faults.append(.repartition) }
      if let around, isRefused(block, tokens, in: around) { faults.append(.subquery) }
      for subquery in block.subqueries { query(subquery.tokens, names: names, around: block) }
    }

    /// Returns whether two large tables are joined by the keys of both.
    private func meet(_ one: Item, _ other: Item, _ same: Equalities) -> Bool {
      guard let one = one.column, let other = other.column else { return false }
      return same.areEqual(one, other)
    }

    private func isRefused(_ join: Join, _ block: Block) -> Bool {
      guard ["left", "right", "full"].contains(join.kind), !join.isLateral else { return false }
      let right = block.items[join.right]
      let large = block.items[join.left].filter { $0.key != nil }
      if right.key != nil { return !large.contains { meet($0, right, block.same) } }
      return !large.isEmpty && join.kind != "left"
    }

    /// Returns whether a subquery is correlated with its surroundings by other columns than the keys of both.
    private func isRefused(_ block: Block, _ tokens: [SQLToken], in around: Block) -> Bool {
      let own = Set(block.items.map(\.alias))
      let outer = Set(around.items.map(\.alias)).subtracting(own)
      guard Self.words(tokens).contains(where: { word in word.split(separator: ".").first.map { outer.contains(String($0)) } ?? false })
      else { return false }
      let large = block.items.filter { $0.key != nil }
      let largeAround = around.items.filter { $0.key != nil }
      if large.isEmpty { return !largeAround.isEmpty && !block.items.isEmpty }
      return !large.allSatisfy { one in largeAround.contains { meet(one, $0, block.same) } }
    }

    /// Returns the names with a dot, including those in parentheses.
    private static func words(_ tokens: [SQLToken]) -> [String] {
      tokens.flatMap { token -> [String] in
        if let inside = token.group { return words(inside) }
        guard let word = token.word, word.contains(".") else { return [] }
        return [word]
      }
    }
  }
}
