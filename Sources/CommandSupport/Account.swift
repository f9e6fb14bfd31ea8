internal import Glibc

extension Environment {
  /// Bytes that the login's record may take; POSIX leaves the size open.
  private static let recordBytes = 16_384

  /// Name of the login that this process runs under, or its number.
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
