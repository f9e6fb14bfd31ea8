import Glibc
import Synchronization
public import Testing

/// Ends the databases, folders and servers that a test creates when the test ends, whether it passes or throws.
public struct CleanUp: TestTrait, SuiteTrait, TestScoping {
  private final class Actions: Sendable {
    private let list = Mutex<[@Sendable () async -> Void]>([])
    func append(_ action: @escaping @Sendable () async -> Void) { list.withLock { $0.append(action) } }
    /// Runs the newest action first: a server stops before its database is dropped.
    func run() async { for action in list.withLock({ $0 }).reversed() { await action() } }
  }

  @TaskLocal private static var actions: Actions?

  public var isRecursive: Bool { true }

  /// Runs an action after the current test. Does nothing in a suite without this trait and in `shared`.
  public static func afterTest(_ action: @escaping @Sendable () async -> Void) { actions?.append(action) }

  /// Returns a value whose databases, folders and servers several tests share, so that none of them ends it.
  public static func shared<Value: Sendable>(_ make: @Sendable () async throws -> Value) async throws -> Value {
    try await $actions.withValue(nil) { try await make() }
  }

  private static let lastActions = Mutex<[@Sendable () -> Void]>([])

  /// Runs an action at the end of the test process.
  public static func atExit(_ action: @escaping @Sendable () -> Void) {
    lastActions.withLock { $0.append(action) }
    atexit { CleanUp.lastActions.withLock { $0.popLast() }?() }
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let actions = Actions()
    let result: Result<Void, any Error>
    do { result = .success(try await Self.$actions.withValue(actions) { try await function() }) } catch { result = .failure(error) }
    await actions.run()
    try result.get()
  }
}

extension Trait where Self == CleanUp {
  public static var cleansUp: CleanUp { CleanUp() }
}
