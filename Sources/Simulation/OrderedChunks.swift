internal import Glibc

/// Creates numbered pieces on all cores and processes them in order of number.
enum OrderedChunks {
  /// Maximum number of unprocessed pieces per core; limits the memory.
  private static let aheadPerCore = 3

  static func run<Piece: Sendable>(_ count: Int, make: @escaping @Sendable (Int) -> Piece, take: (Piece) throws -> Void) async throws {
    let ahead = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * aheadPerCore)
    try await withThrowingTaskGroup(of: (Int, Piece).self) { group in
      var started = 0
      var taken = 0
      var waiting: [Int: Piece] = [:]
      while taken < count {
        while started < count, started - taken < ahead {
          let number = started
          group.addTask { (number, make(number)) }
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
