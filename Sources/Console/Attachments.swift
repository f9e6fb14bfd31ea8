internal import HTTPTypes
internal import JobCore
internal import Review
internal import Wording

extension CaseController {
  func attach(_ form: Form, to id: String) async throws {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    guard let file = form.file, !file.bytes.isEmpty else { throw ConsoleFault(status: .badRequest, message: "fault.empty_file") }
    try await job.attach(id, file.bytes, name: file.name, by: Person())
  }

  /// Returns the bytes of an attachment. As with evidence, a read-only account is refused.
  func attachment(_ hash: String, of id: String) async throws -> [UInt8] {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    guard Self.isID(hash, digits: 64) else { throw ConsoleFault.notThere }
    do { return try await job.attachment(id, hash, by: Person()) } catch is JobError { throw ConsoleFault.notThere }
  }
}
