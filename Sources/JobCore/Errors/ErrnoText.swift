internal import Glibc
internal import SystemCalls

/// Returns the text of a system error; by default of this thread's last one.
package func errnoText(_ code: Int32 = errno) -> String { SystemFault.text(code) }
