package import Domain
package import Postgres

/// Whether one kind of input is fresh at a clock.
package struct InputState: Sendable {
  package var kind: String
  /// `fresh`, or why not: `never`, `old` or `few`.
  var state: String
  /// The newest that it tells; nil when it tells nothing.
  package var toldAt: Timestamp?
  var ageSeconds: Int64?
  /// Since when it is not fresh, as RFC 3339.
  package var since: String
  /// What is the matter, or that nothing is.
  package var reason: String
  /// Whether nothing, or next to nothing, of what came since the last complete night could be taken.
  package var isUntaken: Bool

  package var isFresh: Bool { state == "fresh" }

  /// The state of every kind of input at a clock: the one answer for the night, reports, run-due, metrics and doctor.
  ///
  /// - Parameter inputs: what is expected; that of the settings and of the job that started the run, when nil.
  package static func all(
    asOf: Timestamp, inputs: InputSettings? = nil, in context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [InputState] {
    let inputs = inputs ?? context.inputs
    let kinds = InputKind.allCases
    let parameters: [String: Value] = [
      "as_of": .timestamptz(microseconds: asOf.microseconds), "kinds": .textArray(kinds.map(\.rawValue)),
      "max_ages": .textArray(kinds.map { inputs[$0].maxAgeSeconds.map(String.init) ?? "" }),
      "rows_mins": .textArray(kinds.map { "\(inputs[$0].rowsMin)" }),
      "needed": .textArray(kinds.filter { inputs[$0].isNeeded }.map(\.rawValue)),
    ]
    return try ReportTable.read(RunsSQL.inputState, parameters, files: context.sql, tx: &tx).records.map { row in
      try InputState(
        kind: row.text("kind"), state: row.text("state"),
        toldAt: row["told_at"].flatMap(Timestamp.init(rfc3339:)),
        ageSeconds: row["age_seconds"].flatMap { Int64($0) }, since: row.text("stale_at"), reason: row.text("reason"),
        isUntaken: row["is_untaken"] == "t")
    }
  }

  /// Kinds of input that are not fresh at a clock.
  package static func stale(asOf: Timestamp, in context: JobContext, _ tx: inout DatabaseTransaction) throws -> [InputState] {
    try all(asOf: asOf, in: context, &tx).filter { !$0.isFresh }
  }
}
