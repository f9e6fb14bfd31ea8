/// The partitions of a run that decides everything.
public struct Partitioning: Sendable {
  public static let partitionsMax = 100_000
  public static let workersMax = 64
  /// Maximum number of orders, and of charges, that are decided in one transaction by default. An order and its charge take about
  /// 0.8 kB, so the memory of the process stays under 300 MB, unless one component is larger: it is never divided.
  public static let rowsMax = 250_000
  /// Number of orders, or of charges, of a partition by default. Hash tables of so few texts fit into the cache of a processor.
  static let partitionRows = 20_000

  /// Number of partitions, 1 to `partitionsMax`; nil derives it from the number of rows.
  public var partitions: Int?
  /// Number of concurrent sessions that decide partitions, 1 to `workersMax`.
  public var workers: Int

  public init(partitions: Int? = nil, workers: Int = 1) {
    self.partitions = partitions
    self.workers = workers
  }

  /// Returns the number of partitions.
  ///
  /// - Parameter rowCount: number of orders or of charges, whichever is greater.
  func count(rowCount: Int) -> Int32 {
    let wanted = partitions ?? (rowCount <= Self.rowsMax ? 1 : (rowCount - 1) / Self.partitionRows + 1)
    return Int32(max(1, min(Self.partitionsMax, wanted)))
  }
}

/// The error that a run would decide more rows in one transaction than a partition may contain.
struct TooManyRows: Error {}
