internal import JobCore
internal import Postgres

/// How a run that decides everything is cut into pieces.
public struct PieceCut: Sendable {
  public static let piecesMax = 100_000
  public static let workersMax = 64

  /// Pieces, 1 to `piecesMax`; nil for as many as the job's `rowsMax` makes of what there is.
  public var pieces: Int?
  /// Sessions that decide pieces beside each other, 1 to `workersMax`.
  public var workers: Int

  public init(pieces: Int? = nil, workers: Int = 1) {
    self.pieces = pieces
    self.workers = workers
  }
}

/// A job that decides by what hangs together, so that whatever does not can be decided apart: match, and detect.
protocol PieceJob: Sendable {
  static var name: DecisionState.Name { get }
  /// Orders, or charges, of a piece: so many are in the memory of one session at a time.
  static var rowsMax: Int64 { get }
  /// What a piece reads beside its orders and charges.
  static var inputs: Script { get }
  /// Keeps what was decided of a piece beside what stands.
  static var keep: Statement< > { get }
  /// Removes whatever was kept.
  static var forget: Script { get }

  var context: JobContext { get }
  init(context: JobContext)

  /// With what everything is decided now.
  func state(_ tx: inout DatabaseTransaction) throws -> DecisionState
  /// Takes what waits to be decided, as pieces are about to see all of it.
  func open(_ tx: inout DatabaseTransaction) throws
  /// Decides what a piece holds, which the inputs show.
  func decide(_ tx: inout DatabaseTransaction) throws
}

/// What is to be decided by a job is more than one piece holds.
struct TooMuchAtOnce: Error { let name: DecisionState.Name }
