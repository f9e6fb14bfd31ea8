package import Postgres

/// Idle sessions of a program, kept open between transactions.
package actor SessionPool {
  private struct IdleSession {
    var session: Session
    var role: DatabaseRole?
    var secret: String?
    var since: ContinuousClock.Instant

    /// Whether the session already acts for the role and the console session with the secret, and is assumed to be alive.
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
  /// - Returns: the session, and whether it must be set up, because it acts for nobody or may be dead.
  func take(_ role: DatabaseRole, secret: String?) async -> (session: Session, needsSetUp: Bool)? {
    if let index = idle.lastIndex(where: { $0.serves(role, secret) }) { return (idle.remove(at: index).session, false) }
    guard let last = idle.popLast() else { return nil }
    if last.secret != nil { await last.session.discardState() }
    return (last.session, true)
  }

  /// Passes a session to `work`, and keeps it for later work without its locks and options. Closes it if the work failed.
  ///
  /// - Parameters:
  ///   - role: nil if the session acts as the login.
  ///   - secret: secret of a console session, whose work takes no advisory locks; else nil.
  package nonisolated func use<Result>(
    _ session: Session, as role: DatabaseRole? = nil, secret: String? = nil, _ work: (Session) async throws -> Result
  ) async throws -> Result {
    let result: Result
    do { result = try await work(session) } catch {
      await session.close()
      throw error
    }
    if secret == nil { await session.discardState() }
    await keep(IdleSession(session: session, role: role, secret: secret, since: .now))
    return result
  }

  private func keep(_ idleSession: IdleSession) async {
    guard idle.count < idleMax else { return await idleSession.session.close() }
    idle.append(idleSession)
  }
}
