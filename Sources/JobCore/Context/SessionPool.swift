internal import Postgres

/// Sessions that stay open between the transactions of a program that serves many people, so that few are opened.
///
/// Whoever takes locks of a session, or leaves anything else in one, opens a session of its own.
package actor SessionPool {
  /// A session, under whose secret it acts, and since when nobody uses it.
  private struct Kept {
    var session: Session
    var secret: String?
    var since: ContinuousClock.Instant
  }

  /// Longest time after which a session is taken to be alive still.
  private static let trusted = Duration.seconds(1)

  private let idleMax: Int
  private var idle: [DatabaseRole: [Kept]] = [:]

  /// - Parameter idleMax: sessions of one role that are kept while nobody uses them.
  package init(idleMax: Int) { self.idleMax = idleMax }

  /// One that was used before; nil where a new one is to be opened.
  ///
  /// - Returns: the session, and whether it has to be shown the secret: it acted as somebody else, or may be dead.
  func take(_ role: DatabaseRole, secret: String?) -> (session: Session, isToBeTold: Bool)? {
    guard let kept = idle[role]?.popLast() else { return nil }
    return (kept.session, kept.secret != secret || kept.since.duration(to: .now) > Self.trusted)
  }

  func put(_ session: Session, _ role: DatabaseRole, secret: String?) async {
    guard idle[role, default: []].count < idleMax else {
      await session.close()
      return
    }
    idle[role, default: []].append(Kept(session: session, secret: secret, since: .now))
  }
}
