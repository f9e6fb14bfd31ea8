internal import Glibc

extension Environment {
  /// Buffer size for the login's record, in bytes; POSIX sets no limit.
  private static let recordBytes = 16_384

  /// Returns the name of the login that runs this process, or its number.
  package static func account() -> String {
    let uid = getuid()
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: recordBytes) { buffer in
      guard let base = buffer.baseAddress else { return "\(uid)" }
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwuid_r(uid, &entry, base, buffer.count, &found)
      guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return "\(uid)" }
      return unsafe String(cString: name)
    }
  }
}
