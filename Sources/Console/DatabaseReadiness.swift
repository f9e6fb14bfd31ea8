internal import JobCore
internal import Logging
internal import Postgres

/// Readiness of the console. Queries the database and restarts a private database that died.
actor DatabaseReadiness {
  /// Time for which an answer is reused, so that frequent checks occupy no connections.
  private static let trusted = Duration.seconds(1)
  private static let answerSeconds = 2

  private let context: JobContext
  private let startAgain: @Sendable () async throws -> Void
  private var lastAnswer: (isReady: Bool, at: ContinuousClock.Instant)?
  private var asking: Task<Bool, Never>?
  private var reviving: Task<Void, Never>?

  init(context: JobContext, revive: @escaping @Sendable () async throws -> Void) {
    self.context = context
    startAgain = revive
  }

  /// Whether the database can serve a page. If not, a private database is restarted in the background.
  func isReady() async -> Bool {
    if let lastAnswer, lastAnswer.at.duration(to: .now) < Self.trusted { return lastAnswer.isReady }
    if let asking { return await asking.value }
    let context = context
    let task = Task { await Self.answers(context) }
    asking = task
    let isReady = await task.value
    asking = nil
    lastAnswer = (isReady, .now)
    if !isReady { Task { await revive() } }
    return isReady
  }

  /// Restarts a private database that died. Concurrent calls share one restart.
  func revive() async {
    if let reviving { return await reviving.value }
    let (startAgain, log) = (startAgain, context.log)
    let task = Task {
      do { try await startAgain() } catch { log.error("the database could not be started again", metadata: ["cause": "\(error)"]) }
    }
    reviving = task
    await task.value
    reviving = nil
    lastAnswer = nil
  }

  /// Whether the database accepts writes. Pages record each view, so a read-only database cannot serve them.
  private static func answers(_ context: JobContext) async -> Bool {
    do {
      return try await context.withSession(
        as: .review,
        adjusting: {
          $0.connectTimeoutSeconds = Self.answerSeconds; $0.lockTimeoutMilliseconds = Self.answerSeconds * 1000
        },
        { session in try await context.rows(ConsoleSQL.isReady, on: session).first ?? false })
    } catch {
      return false
    }
  }
}
