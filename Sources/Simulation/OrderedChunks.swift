internal import Glibc

/// Creates pieces of a range on all cores and processes them in order.
enum OrderedChunks {
  /// Maximum number of unprocessed pieces per core; limits the memory.
  private static let aheadPerCore = 3

  /// - Parameters:
  ///   - total: number of elements.
  ///   - size: number of elements of a piece; the last piece may be smaller.
  static func run<Piece: Sendable>(
    _ total: Int, by size: Int, make: @escaping @Sendable (Range<Int>) -> Piece, take: (Piece) throws -> Void
  ) async throws {
    let count = (total + size - 1) / size
    let ahead = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * aheadPerCore)
    try await withThrowingTaskGroup(of: (Int, Piece).self) { group in
      var started = 0
      var taken = 0
      var waiting: [Int: Piece] = [:]
      while taken < count {
        while started < count, started - taken < ahead {
          let number = started
          group.addTask { (number, make(number * size..<min((number + 1) * size, total))) }
          started += 1
        }
        guard let (number, piece) = try await group.next() else { break }
        waiting[number] = piece
        while let next = waiting.removeValue(forKey: taken) {
          try take(next)
          taken += 1
        }
        try Task.checkCancellation()
      }
    }
  }
}
