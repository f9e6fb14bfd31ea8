internal import Domain
internal import JobCore

/// A cache of figures and of the rows behind them. Figures that are counted quickly are recounted for each request.
/// Slow figures are served from the cache and recounted in the background, one recount per key at a time.
actor Figures {
  static let shared = Figures()

  struct Counted: Sendable {
    var tables: [ReportTable]
    /// Number of existing figures or rows, of which `tables` may list only some.
    var all = 0
    /// Sum of the rows; nil for none.
    var sum: String?
    var asOf: Timestamp
    var took: Duration = .zero
  }

  /// Kind of figures. Rows name people, so they expire sooner.
  enum Kind { case sums, rows }

  private static let quick = Duration.milliseconds(40)
  /// Longest time before slow figures are recounted, unless counting takes long.
  private static let kept = Duration.seconds(60)
  private static let rowsKept = Duration.seconds(600)
  /// Age at which cached rows are no longer shown.
  private static let rowsMaxAge = Duration.seconds(900)
  private static let keysMax = 100
  /// Concurrent row counts. Each occupies a processor and memory of the database.
  private static let countingMax = 2

  private let counting = ConcurrencyLimit(passingMax: countingMax, waitingMax: ConsoleLimits.workersMax)
  private var counted: [String: (figures: Counted, at: ContinuousClock.Instant)] = [:]
  private var running: [String: Task<Counted, any Error>] = [:]

  func figures(_ key: String, _ kind: Kind = .sums, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    guard let (known, at) = counted[key], known.took > Self.quick else { return try await countNow(key, kind, count) }
    let age = at.duration(to: .now)
    if kind == .rows, age > Self.rowsMaxAge { return try await countNow(key, kind, count) }
    // Counting sums takes at most a twentieth of the time.
    let longest = max(Self.kept, known.took * 20)
    if age > (kind == .rows ? min(longest, Self.rowsKept) : longest), running[key] == nil {
      Task { _ = try? await countTogether(key, count) }
    }
    return known
  }

  /// Counts now. Concurrent requests share one count of rows. Each counts sums itself, because its user may have acted since another
  /// count began.
  private func countNow(_ key: String, _ kind: Kind, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    kind == .rows ? try await countTogether(key, count) : keep(try await Self.timed(count), key)
  }

  private func countTogether(_ key: String, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    if let task = running[key] { return try await task.value }
    let task = Task { try await countWithinLimit(count) }
    running[key] = task
    defer { running[key] = nil }
    return keep(try await task.value, key)
  }

  private func countWithinLimit(_ count: @Sendable () async throws -> Counted) async throws -> Counted {
    guard let figures = try await counting.run({ try await Self.timed(count) }) else { throw ConsoleFault.busy }
    return figures
  }

  private static func timed(_ count: @Sendable () async throws -> Counted) async throws -> Counted {
    let began = ContinuousClock.Instant.now
    var figures = try await count()
    figures.took = began.duration(to: .now)
    return figures
  }

  private func keep(_ figures: Counted, _ key: String) -> Counted {
    if counted.count >= Self.keysMax { counted.removeAll() }
    counted[key] = (figures, .now)
    return figures
  }
}
