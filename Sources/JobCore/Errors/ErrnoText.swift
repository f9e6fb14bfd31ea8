internal import Glibc
internal import SystemCalls

/// Text of a system error; of this thread's last one when none is given.
package func errnoText(_ code: Int32 = errno) -> String { SystemFault.text(code) }
