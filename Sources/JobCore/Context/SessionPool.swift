package import Postgres

/// Idle sessions of a program, kept open between transactions.
package actor SessionPool {
  private struct IdleSession {
    var session: Session
    var role: DatabaseRole?
    var secret: String?
    var since: ContinuousClock.Instant

    /// Whether the session already acts for these: a console session keeps its role and secret for a moment.
    func serves(_ role: DatabaseRole, _ secret: String?) -> Bool {
      secret != nil && self.secret == secret && self.role == role && since.duration(to: .now) <= SessionPool.trusted
    }
  }

  /// Idle time up to which a session is assumed to be alive.
  private static let trusted = Duration.seconds(1)

  private let idleMax: Int
  private var idle: [IdleSession] = []

  package init(idleMax: Int) { self.idleMax = idleMax }

  /// Returns an idle session; nil if a new one must be opened.
  ///
  /// - Returns: the session, and whether it must be reset: it acts for others, or may be dead.
  func take(_ role: DatabaseRole, secret: String?) -> (session: Session, needsReset: Bool)? {
    if let index = idle.lastIndex(where: { $0.serves(role, secret) }) { return (idle.remove(at: index).session, false) }
    return idle.popLast().map { ($0.session, true) }
  }

  /// Keeps a session for later work.
  ///
  /// - Parameter role: nil if the session acts as the login.
  package func put(_ session: Session, _ role: DatabaseRole? = nil, secret: String? = nil) async {
    guard idle.count < idleMax else {
      await session.close()
      return
    }
    idle.append(IdleSession(session: session, role: role, secret: secret, since: .now))
  }
}
