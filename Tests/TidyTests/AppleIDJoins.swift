/// Joins in a SQL text by an id of Apple's, without the app or the environment.
///
/// Two apps, or Production and Sandbox, may share an original transaction id. A join by such an id must also compare both, or one
/// of our own keys: a charge, an order or a piece of evidence. A table without an app is compared with the app parameter of the
/// statement. An environment given as a text applies to all tables of the statement.
struct AppleIDJoins {
  private static let appleIDs: Set<String> = ["original_transaction_id", "transaction_id"]
  /// Keys that each identify a row of one app and environment.
  private static let ownKeys: Set<String> = ["charge_id", "order_id", "evidence_sha256", "sha256", "parent_sha256"]

  /// The column that all texts count as.
  private static let literal = "'"

  /// Returns the pairs of aliases joined only by an id of Apple's, each as `one other`, in the order of the text.
  static func faults(in text: String) -> [String] {
    SQLToken.statements(of: text).flatMap { faults(in: $0, around: Equalities(), isOfOne: namesEnvironment($0)) }
  }

  private static func namesEnvironment(_ tokens: [SQLToken]) -> Bool {
    tokens.indices.contains { index in
      if let inside = tokens[index].group, namesEnvironment(inside) { return true }
      return tokens[index].word.map { name($0) == "environment" } ?? false && index + 2 < tokens.count
        && tokens[index + 1].isSymbol("=") && column(tokens[index + 2]) == literal
    }
  }

  private static func faults(in tokens: [SQLToken], around: Equalities, isOfOne: Bool) -> [String] {
    var faults: [String] = []
    for part in parts(of: tokens) {
      var same = around
      var byID: [(String, String)] = []
      for index in part.indices.dropFirst().dropLast() where part[index].isSymbol("=") {
        for (one, other) in sides(part[index - 1], part[index + 1]) {
          same.join(one, other)
          if isAppleID(one), isAppleID(other), alias(one) != alias(other) { byID.append((one, other)) }
        }
      }
      for (one, other) in byID where !isScoped(alias(one), alias(other), same, isOfOne: isOfOne) {
        faults.append("\(alias(one)) \(alias(other))")
      }
      faults += sharedColumns(of: part).filter { !isScoped($0, isOfOne: isOfOne) }.map { "using \($0.joined(separator: " "))" }
      for inside in part.compactMap(\.group) { faults += Self.faults(in: inside, around: same, isOfOne: isOfOne) }
    }
    return faults
  }

  /// Returns the columns of each `using` that has an id of Apple's.
  private static func sharedColumns(of tokens: [SQLToken]) -> [[String]] {
    zip(tokens, tokens.dropFirst()).compactMap { word, list in word.word == "using" ? list.group?.compactMap(\.word) : nil }
      .filter { !appleIDs.isDisjoint(with: $0) }
  }

  /// Whether equal columns of two tables are of one app and environment.
  private static func isScoped(_ columns: [String], isOfOne: Bool) -> Bool {
    !ownKeys.isDisjoint(with: columns) || columns.contains("bundle_id") && (isOfOne || columns.contains("environment"))
  }

  /// Returns the parts joined by `union` and the like, which do not see each other's tables. Common tables are groups in the query.
  private static func parts(of tokens: [SQLToken]) -> [[SQLToken]] {
    tokens.split { ["union", "intersect", "except"].contains($0.word ?? "") }.map(Array.init)
  }

  private static func sides(_ one: SQLToken, _ other: SQLToken) -> [(String, String)] {
    if let one = one.group, let other = other.group, one.count == other.count {
      return zip(one, other).flatMap { sides($0, $1) }
    }
    guard let one = column(one), let other = column(other) else { return [] }
    return [(one, other)]
  }

  private static func column(_ token: SQLToken) -> String? {
    // `:'name'` is a parameter.
    if case .value = token { return literal }
    if token.isSymbol(":") { return literal }
    return token.word.flatMap { $0.contains(".") ? $0 : nil }
  }

  private static func isAppleID(_ column: String) -> Bool {
    // `excluded` is the row that a statement would insert.
    appleIDs.contains(name(column)) && alias(column) != "excluded"
  }

  private static func name(_ column: String) -> String { column.split(separator: ".").last.map(String.init) ?? column }

  private static func alias(_ column: String) -> String { column.split(separator: ".").dropLast().joined(separator: ".") }

  private static func isScoped(_ one: String, _ other: String, _ same: Equalities, isOfOne: Bool) -> Bool {
    let apps = ["\(one).bundle_id", "\(other).bundle_id"]
    let areOfOneApp = same.areEqual(apps[0], apps[1]) || apps.contains { same.areEqual($0, literal) }
    if areOfOneApp, isOfOne || same.areEqual("\(one).environment", "\(other).environment") { return true }
    let ours = same.columns.filter { alias($0) == one }
    let theirs = same.columns.filter { alias($0) == other }
    return ours.contains { mine in
      theirs.contains { same.areEqual(mine, $0) && (ownKeys.contains(name(mine)) || ownKeys.contains(name($0))) }
    }
  }
}
