internal import Glibc

/// Threads and address space that this process can still obtain. They are checked in advance, because the Swift runtime waits forever for a
/// thread that the system refuses.
///
/// - Source: pthread_create(3), setrlimit(2): RLIMIT_NPROC, RLIMIT_AS.
@safe public enum ProcessResources {
  public enum Refusal: Sendable, Hashable { case threads, memory }

  private typealias Gate = UnsafeMutablePointer<pthread_mutex_t>

  /// Returns the resource that is missing for concurrent threads and for a number of bytes besides their stacks; nil when none is.
  public static func missing(threads count: Int, bytes: Int) -> Refusal? {
    let gate = Gate.allocate(capacity: 1)
    defer { unsafe gate.deallocate() }
    unsafe pthread_mutex_init(gate, nil)
    unsafe pthread_mutex_lock(gate)
    var threads: [pthread_t] = []
    while threads.count < count, let thread = unsafe start(behind: gate) { threads.append(thread) }
    let hasMemory = canReserve(bytes)
    unsafe pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    unsafe pthread_mutex_destroy(gate)
    guard threads.count == count else { return hasMemory ? .threads : .memory }
    return hasMemory ? nil : .memory
  }

  /// Starts a thread that ends when the gate opens. Returns nil when the system refuses it.
  private static func start(behind gate: Gate) -> pthread_t? {
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { gate in
        guard let gate = unsafe gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
        unsafe pthread_mutex_lock(gate)
        unsafe pthread_mutex_unlock(gate)
        return nil
      }, gate)
    return code == 0 ? thread : nil
  }

  private static func canReserve(_ bytes: Int) -> Bool {
    guard let place = unsafe mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe place != MAP_FAILED
    else { return false }
    unsafe munmap(place, bytes)
    return true
  }

  /// Calls `end` from a dedicated thread once the system refused every new thread for `shortageSecondsMax` seconds.
  public static func watch(_ end: @escaping @convention(c) () -> Void) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(End(run: end)).toOpaque()
    let code = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box else { return nil }
        let end = unsafe Unmanaged<End>.fromOpaque(box).takeRetainedValue()
        var refusedSeconds = 0
        while refusedSeconds < ProcessResources.shortageSecondsMax {
          sleep(1)
          refusedSeconds = ProcessResources.missing(threads: 1, bytes: 1) == nil ? 0 : refusedSeconds + 1
        }
        end.run()
        return nil
      }, box)
    if code == 0 { pthread_detach(thread) }
  }

  private static let shortageSecondsMax = 10

  private final class End {
    let run: @convention(c) () -> Void
    init(run: @escaping @convention(c) () -> Void) { self.run = run }
  }
}
