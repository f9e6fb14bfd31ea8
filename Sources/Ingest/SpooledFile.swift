internal import Glibc
internal import Intake
internal import JobCore
internal import SystemCalls

/// A file that can be read more than once: the file itself, or a copy of a pipe's data, removed with the last reference.
final class SpooledFile: Sendable {
  let path: String
  private let isCopy: Bool

  /// - Throws: `IntakeError` or `JobError` when the file cannot be read or copied.
  init(path given: String) throws {
    try FileContent.requireReadable(given)
    // A pipe, unlike a regular file, can be read only once.
    guard given == "-" || FileContent.type(given) != S_IFREG else {
      path = given
      isCopy = false
      return
    }
    let descriptor: Int32
    do { (path, descriptor) = try Temporary.makeFile("payrecon-input") } catch {
      throw JobError(
        "could not keep standard input: \(errnoText(error.code))", hint: "Give a file instead, or make room in \(Temporary.directory).")
    }
    isCopy = true
    defer { close(descriptor) }
    let input = given == "-" ? STDIN_FILENO : unsafe open(given, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw JobError("could not read input \"\(given)\": \(errnoText())") }
    defer { if input != STDIN_FILENO { close(input) } }
    var total = 0
    try FileContent.read(input, named: "standard input") { bytes in
      total += bytes.count
      guard total <= IntakeLimits.unpackedBytesMax else { throw JobError("standard input is longer than the limit") }
      try Self.write(bytes, to: descriptor)
    }
  }

  deinit {
    if isCopy { unsafe unlink(path) }
  }

  static func make(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = LocalFile.create(path, mode: 0o600)
    guard descriptor >= 0 else { throw JobError("could not keep an input: \(errnoText())", hint: "Make room in /tmp.") }
    defer { close(descriptor) }
    try write(bytes[...], to: descriptor)
  }

  static func write(_ bytes: ArraySlice<UInt8>, to output: Int32) throws {
    do { try Descriptor.write(bytes, to: output) } catch {
      throw JobError("could not keep an input: \(errnoText(error.code))", hint: "Make room in /tmp.")
    }
  }
}
