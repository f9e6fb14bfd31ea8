/// The pieces of a run that decides everything.
public struct PieceCut: Sendable {
  public static let piecesMax = 100_000
  public static let workersMax = 64
  /// Maximum number of orders, and of charges, that a process decides at a time by default. An order and its charge take about 0.8 kB,
  /// so the memory of the process stays under 300 MB, unless one component is larger: it is never cut.
  public static let rowsMax = 250_000

  /// Number of pieces, 1 to `piecesMax`; nil derives it from the number of rows.
  public var pieces: Int?
  /// Number of concurrent sessions that decide pieces, 1 to `workersMax`.
  public var workers: Int

  public init(pieces: Int? = nil, workers: Int = 1) {
    self.pieces = pieces
    self.workers = workers
  }

  /// Returns the number of pieces.
  ///
  /// - Parameter rowCount: number of orders or of charges, whichever is greater.
  func count(rowCount: Int) -> Int32 {
    let rowsOfPiece = max(1, Self.rowsMax / max(1, workers))
    return Int32(max(1, min(Self.piecesMax, pieces ?? (rowCount <= Self.rowsMax ? 1 : (rowCount - 1) / rowsOfPiece + 1))))
  }
}

/// The error that a run would decide more rows in one transaction than a piece may contain.
struct TooManyRows: Error {}
