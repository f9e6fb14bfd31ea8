internal import Postgres

/// Idle sessions of a program that serves many users, kept open between transactions.
///
/// Work that takes session locks, or changes a session in another way, needs a dedicated session.
package actor SessionPool {
  private struct IdleSession {
    var session: Session
    var secret: String?
    var since: ContinuousClock.Instant
  }

  /// Idle time up to which a session is assumed to be alive.
  private static let trusted = Duration.seconds(1)

  private let idleMax: Int
  private var idle: [DatabaseRole: [IdleSession]] = [:]

  package init(idleMax: Int) { self.idleMax = idleMax }

  /// Returns an idle session; nil if a new one must be opened.
  ///
  /// - Returns: the session, and whether it must be authenticated again: it has another secret, or may be dead.
  func take(_ role: DatabaseRole, secret: String?) -> (session: Session, needsSetup: Bool)? {
    guard let found = idle[role]?.popLast() else { return nil }
    return (found.session, found.secret != secret || found.since.duration(to: .now) > Self.trusted)
  }

  func put(_ session: Session, _ role: DatabaseRole, secret: String?) async {
    guard idle[role, default: []].count < idleMax else {
      await session.close()
      return
    }
    idle[role, default: []].append(IdleSession(session: session, secret: secret, since: .now))
  }
}
