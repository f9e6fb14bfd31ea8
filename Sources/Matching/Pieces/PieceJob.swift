internal import JobCore
internal import Postgres

/// The partitioning of a run that decides everything.
public struct PieceCut: Sendable {
  public static let piecesMax = 100_000
  public static let workersMax = 64

  /// Number of partitions, 1 to `piecesMax`; nil derives it from the number of rows and the job's `rowsMax`.
  public var pieces: Int?
  /// Number of concurrent sessions that decide partitions, 1 to `workersMax`.
  public var workers: Int

  public init(pieces: Int? = nil, workers: Int = 1) {
    self.pieces = pieces
    self.workers = workers
  }
}

/// A job that decides by connected components, so that separate components can be decided separately: match or detect.
protocol PieceJob: Sendable {
  static var name: DecisionState.Name { get }
  /// Maximum number of orders, and of charges, in a partition. One session has so many in memory at a time.
  static var rowsMax: Int64 { get }
  /// The inputs of a partition besides its orders and charges.
  static var inputs: Script { get }
  /// The statement that stores the decisions of a partition separately from the recorded ones.
  static var keep: Statement< > { get }
  /// The script that removes the stored decisions of all partitions.
  static var forget: Script { get }

  var context: JobContext { get }
  init(context: JobContext)

  /// Returns the settings and SQL texts that decide now.
  func state(_ tx: inout DatabaseTransaction) throws -> DecisionState
  /// Removes the pending changes, because partitions will read them all.
  func open(_ tx: inout DatabaseTransaction) throws
  /// Decides the rows of a partition, which the input views show.
  func decide(_ tx: inout DatabaseTransaction) throws
}

/// The error that a job would decide more rows than one partition may contain.
struct ComponentTooLarge: Error { let name: DecisionState.Name }
