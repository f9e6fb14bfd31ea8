internal import Cryptography
package import JobCore
internal import Postgres

/// The settings and SQL with which decisions were made. If either changes, all decisions are re-evaluated.
package struct DecisionState {
  /// The job that made the decisions.
  package enum Name: String {
    case match, detect, rules
  }

  var settings: String
  var code: String

  /// Returns the state of this run's decisions.
  ///
  /// - Parameter folders: SQL folders that affect the decisions, besides functions and reference data. SQL may be replaced without the
  ///   program, and the program without SQL.
  static func current(_ context: JobContext, folders: [String]) throws -> DecisionState {
    DecisionState(settings: context.settingsSHA256, code: try code(of: context, folders: folders))
  }

  /// Returns the program's version and a hash of its SQL.
  ///
  /// - Parameter folders: SQL folders that affect the results, besides functions and reference data.
  package static func code(of context: JobContext, folders: [String]) throws -> String {
    var hash = SHA256()
    let folders = folders + ["functions", "reference"]
    for path in context.sql.paths where folders.contains(where: { path.hasPrefix("\($0)/") }) {
      hash.update(Array(try context.sql.text(path).utf8)[...])
    }
    return "\(context.codeVersion) \(hash.hex().prefix(16))"
  }

  /// Whether both states lead to the same decisions.
  func decidesAs(_ other: DecisionState) -> Bool { settings == other.settings && code == other.code }

  /// Returns the recorded state; nil if the next run decides everything.
  static func read(_ name: Name, _ tx: inout DatabaseTransaction, in context: JobContext) throws -> DecisionState? {
    try tx.rows(context.sql(ScopeSQL.state), ["name": .text(name.rawValue)]).first.flatMap { settings, code in
      settings.map { DecisionState(settings: $0, code: code) }
    }
  }

  /// Makes the next run decide everything.
  static func forget(_ name: Name, _ tx: inout DatabaseTransaction, in context: JobContext) throws {
    try tx.send(context.sql(ScopeSQL.forgetState), ["name": .text(name.rawValue)])
  }

  func record(_ name: Name, _ tx: inout DatabaseTransaction, in context: JobContext) throws {
    try tx.send(
      context.sql(ScopeSQL.recordState),
      [
        "name": .text(name.rawValue), "settings_sha256": .text(settings), "code_version": .text(code),
      ])
  }
}
