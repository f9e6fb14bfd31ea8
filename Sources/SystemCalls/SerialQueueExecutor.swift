internal import Dispatch

/// Runs an actor on a dedicated queue, so that a blocking C call never occupies a thread of the cooperative pool.
public final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  public init(label: String) { queue = DispatchQueue(label: label) }

  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = unsafe asUnownedSerialExecutor()
    queue.async { unsafe unowned.runSynchronously(on: executor) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}
