internal import Domain
internal import JobCore

/// Figures over all cases or breaks, and the rows behind one, as they were counted last. Counted quickly, they are counted for everybody
/// who asks; counted slowly, they are shown as they were, and counted anew beside it now and then, by one at a time.
actor Figures {
  static let shared = Figures()

  struct Counted: Sendable {
    var tables: [ReportTable]
    /// Figures or rows that there are, where some of them are listed.
    var all = 0
    /// What the rows add up to; nil for no sum.
    var sum: String?
    /// By which clock.
    var asOf: Timestamp
    var took: Duration = .zero
  }

  /// What is counted. Rows name people, so they are forgotten after a while.
  enum Kind { case sums, rows }

  private static let quick = Duration.milliseconds(40)
  /// Longest time for which slow figures stay as they are, unless counting them takes long.
  private static let kept = Duration.seconds(60)
  private static let rowsKept = Duration.seconds(600)
  /// Age at which rows are shown to nobody any more.
  private static let rowsMaxAge = Duration.seconds(900)
  private static let keysMax = 100
  /// Rows of so many figures are counted at once: each takes a processor of the database, and its memory.
  private static let countingMax = 2

  private let counting = Turnstile(passingMax: countingMax, waitingMax: ConsoleLimits.workersMax)
  private var counted: [String: (figures: Counted, at: ContinuousClock.Instant)] = [:]
  private var underWay: [String: Task<Counted, any Error>] = [:]

  /// - Parameters:
  ///   - key: what the figures are of.
  ///   - count: counts them.
  func figures(
    _ key: String, _ kind: Kind = .sums, _ count: @escaping @Sendable () async throws -> Counted
  ) async throws -> Counted {
    guard let (known, at) = counted[key], known.took > Self.quick else { return try await countNow(key, kind, count) }
    let age = at.duration(to: .now)
    if kind == .rows, age > Self.rowsMaxAge { return try await countNow(key, kind, count) }
    // Never more than a twentieth of the time goes into counting sums.
    let longest = max(Self.kept, known.took * 20)
    if age > (kind == .rows ? min(longest, Self.rowsKept) : longest), underWay[key] == nil {
      Task { _ = try? await countTogether(key, count) }
    }
    return known
  }

  /// Rows are read from end to end once for all who ask meanwhile; sums by each, who may have acted since another began.
  private func countNow(
    _ key: String, _ kind: Kind, _ count: @escaping @Sendable () async throws -> Counted
  ) async throws -> Counted {
    kind == .rows ? try await countTogether(key, count) : keep(try await Self.timed(count), key)
  }

  private func countTogether(_ key: String, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    if let task = underWay[key] { return try await task.value }
    let task = Task { try await inTurn(count) }
    underWay[key] = task
    defer { underWay[key] = nil }
    return keep(try await task.value, key)
  }

  private func inTurn(_ count: @Sendable () async throws -> Counted) async throws -> Counted {
    guard await counting.enter() else { throw ConsoleFault.busy }
    do {
      let figures = try await Self.timed(count)
      await counting.leave()
      return figures
    } catch {
      await counting.leave()
      throw error
    }
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
