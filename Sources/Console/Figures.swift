internal import Domain
internal import JobCore

/// Figures over all cases or breaks as they were counted last. Counted quickly, they are counted for everybody who asks; counted
/// slowly, they are shown as they were, and counted anew beside it now and then, by one at a time.
actor Figures {
  static let shared = Figures()

  struct Counted: Sendable {
    var tables: [ReportTable]
    /// Figures that there are, where some of them are listed.
    var all = 0
    /// By which clock.
    var asOf: Timestamp
    var took: Duration
  }

  private static let quick = Duration.milliseconds(40)
  /// Longest time for which slow figures stay as they are.
  private static let kept = Duration.seconds(60)
  private static let keysMax = 100

  private var counted: [String: (figures: Counted, at: ContinuousClock.Instant)] = [:]
  private var beingCounted: Set<String> = []

  /// - Parameters:
  ///   - key: what the figures are of.
  ///   - count: counts them.
  func figures(_ key: String, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    guard let (known, at) = counted[key], known.took > Self.quick else { return try await countNow(key, count) }
    // Never more than a twentieth of the time goes into counting.
    if at.duration(to: .now) > max(Self.kept, known.took * 20), beingCounted.insert(key).inserted {
      Task {
        _ = try? await countNow(key, count)
        beingCounted.remove(key)
      }
    }
    return known
  }

  private func countNow(_ key: String, _ count: @escaping @Sendable () async throws -> Counted) async throws -> Counted {
    let began = ContinuousClock.Instant.now
    var figures = try await count()
    figures.took = began.duration(to: .now)
    if counted.count >= Self.keysMax { counted.removeAll() }
    counted[key] = (figures, .now)
    return figures
  }
}
