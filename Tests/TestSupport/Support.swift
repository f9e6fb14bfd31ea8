public import Testing
import Synchronization
import Glibc

/// A value protected by a lock.
final class Lock<State: Sendable>: Sendable {
  private let state: Mutex<State>

  init(_ state: sending State) { self.state = Mutex(state) }

  func with<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R { state.withLock { body(&$0) } }
}

/// Separate folders for tests.

/// A row of a table of cases. Test results show its name.
public protocol NamedCase: Sendable, CustomTestStringConvertible {
  var name: String { get }
}

extension NamedCase {
  public var testDescription: String { name }
}
