internal import JobCore
internal import Postgres

/// The partitions of a detect run that evaluates everything.
struct DetectPieces: PieceJob {
  static let name = DecisionState.Name.detect
  /// The rows are stored in temporary tables of the server.
  static let rowsMax: Int64 = 1_000_000
  static let inputs = InputsSQL.componentOfDetect
  static let keep = DetectSQL.keepPiece
  static let forget = DetectSQL.forgetPieces

  let context: JobContext

  func state(_ tx: inout DatabaseTransaction) throws -> DecisionState { try DetectScope.state(context, &tx) }

  func open(_ tx: inout DatabaseTransaction) throws { try DetectScope(context: context).openPieces(&tx) }

  func decide(_ tx: inout DatabaseTransaction) throws { try Detection(context: context, stale: []).decidePiece(&tx) }
}
