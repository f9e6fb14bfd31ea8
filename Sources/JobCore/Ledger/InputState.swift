package import Domain
package import Postgres
package import Wording

package struct InputState: Sendable {
  package var kind: String
  /// `fresh`, or `never`, `old` or `few`.
  var state: String
  /// The latest instant that the input covers; nil if there is none.
  package var newestAt: Timestamp?
  /// The instant from which the input is stale, as RFC 3339.
  package var since: String
  package var reason: Phrase
  /// The reason as JSON of a phrase.
  package var detail: String
  /// Whether nothing, or almost nothing, that arrived since the last complete night was accepted.
  package var isUnaccepted: Bool

  package var isFresh: Bool { state == "fresh" }

  /// Returns the state of every kind of input at a clock. The night, reports, run-due, metrics and doctor all use it.
  ///
  /// - Parameter inputs: requirements on the input; nil uses those of the settings and of the job that started the run.
  package static func all(
    asOf: Timestamp, inputs: InputSettings? = nil, in context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [InputState] {
    let inputs = inputs ?? context.inputs
    let kinds = InputKind.allCases
    let parameters: [String: Value] = [
      "as_of": asOf.sqlValue, "kinds": .textArray(kinds.map(\.rawValue)),
      "max_ages": .textArray(kinds.map { inputs[$0].maxAgeSeconds.map(String.init) ?? "" }),
      "rows_mins": .textArray(kinds.map { "\(inputs[$0].rowsMin)" }),
      "needed": .textArray(kinds.filter { inputs[$0].isNeeded }.map(\.rawValue)),
    ]
    let table = try ReportTable.read(RunsSQL.inputState, parameters, files: context.sql, tx: &tx)
    return try table.records.map { row in
      try InputState(
        kind: row.text("kind"), state: row.text("state"),
        newestAt: row["newest_at"].flatMap(Timestamp.init(rfc3339:)),
        since: row.text("stale_at"), reason: table.phrase("reason", row.text("reason")), detail: row.text("detail"),
        isUnaccepted: row["is_unaccepted"] == "t")
    }
  }

  package static func stale(asOf: Timestamp, in context: JobContext, _ tx: inout DatabaseTransaction) throws -> [InputState] {
    try all(asOf: asOf, in: context, &tx).filter { !$0.isFresh }
  }
}
