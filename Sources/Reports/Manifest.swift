internal import Cryptography
internal import JobCore
internal import JSON

/// The contents of a report's manifest.
package struct Manifest: Sendable {
  package struct File: Sendable {
    package var name: String
    package var byteCount: Int
    package var sha256: String
  }

  private static let bytesMax = 1 << 20

  package var runID: String
  package var report: String
  package var asOf: String
  package var settingsSHA256: String
  package var codeVersion: String
  package var verdict: String
  package var reasons: [String]
  package var files: [File]
  /// Hash of the manifest itself.
  package var sha256: String

  /// - Throws: `JobError` if there is no manifest or it is not readable.
  package static func read(directory: String) throws -> Manifest {
    let path = "\(directory)/\(ReportFolder.manifestName)"
    guard let bytes = try LocalFile.contents(path, bytesMax: bytesMax) else {
      throw JobError(
        "could not verify \"\(directory)\": it has no \(ReportFolder.manifestName)",
        hint: "Name the folder of one report; without its manifest nothing about it can be proven.")
    }
    let fault = JobError(
      "could not verify \"\(directory)\": its \(ReportFolder.manifestName) is not one that payrecon wrote",
      hint: "It was changed or cut off; write the report again.")
    guard let object = try? JSONObject(parsing: bytes[...]), case .array(let list)? = object["files"] else { throw fault }
    func text(_ object: JSONObject, _ name: String) throws -> String {
      guard let text = object.string(name) else { throw fault }
      return text
    }
    let files = try list.map { value in
      guard case .object(let entry) = value, case .number(let count)? = entry["bytes"], let bytes = Int(count) else {
        throw fault
      }
      let name = try text(entry, "name")
      // A manifest must not refer to files outside its folder.
      guard !name.contains("/"), name != "..", name != "." else { throw fault }
      return File(name: name, byteCount: bytes, sha256: try text(entry, "sha256"))
    }
    var reasons: [String] = []
    if case .array(let list)? = object["verdict_reasons"] {
      for case .string(let reason) in list { reasons.append(reason) }
    }
    return Manifest(
      runID: try text(object, "run_id"), report: try text(object, "report"), asOf: try text(object, "as_of"),
      settingsSHA256: try text(object, "settings_sha256"), codeVersion: try text(object, "code_version"),
      verdict: try text(object, "verdict"), reasons: reasons, files: files, sha256: SHA256.hex(bytes))
  }
}
