internal import Cryptography
internal import JobCore
internal import Postgres

/// With what the decisions of the moment were made: with other settings or other SQL, all of them are made anew.
package struct DecisionState {
  /// Whose decisions these are.
  package enum Name: String {
    case match, detect, rules
  }

  var settings: String
  var code: String

  /// The state while everything is decided in pieces: until all of them are recorded, whoever decides anything decides everything.
  static let inPieces = DecisionState(settings: "in pieces", code: "")

  /// The state that this run's decisions will have.
  ///
  /// - Parameter folders: whose SQL decides, beside functions and reference data; it may have been replaced without the
  ///   program, and the other way about.
  static func current(_ context: JobContext, folders: [String]) throws -> DecisionState {
    var hash = SHA256()
    let folders = folders + ["functions", "reference"]
    for path in context.sql.paths where folders.contains(where: { path.hasPrefix("\($0)/") }) {
      hash.update(Array(try context.sql.text(path).utf8)[...])
    }
    return DecisionState(
      settings: context.settingsSHA256, code: "\(context.codeVersion) \(hash.hex().prefix(16))")
  }

  /// Whether what was decided in this state would be decided in the other in the same way.
  func decidesAs(_ other: DecisionState) -> Bool { settings == other.settings && code == other.code }

  /// nil when nothing was ever decided.
  static func read(_ name: Name, _ tx: inout DatabaseTransaction, in context: JobContext) throws -> DecisionState? {
    try tx.rows(context.sql(ScopeSQL.state), ["name": .text(name.rawValue)]).first.map {
      DecisionState(settings: $0, code: $1)
    }
  }

  func record(_ name: Name, _ tx: inout DatabaseTransaction, in context: JobContext) throws {
    _ = try tx.run(
      context.sql(ScopeSQL.recordState),
      [
        "name": .text(name.rawValue), "settings_sha256": .text(settings), "code_version": .text(code),
      ])
  }
}
