internal import Intake
internal import JobCore

extension DoctorFiles {
  /// Maximum number of files per kind whose header is read, the last by name.
  private static let mappedFilesMax = 20

  /// Checks that files in the inbox have the columns that their mapping or payrecon needs. Reads headers only.
  func checkMappings(_ files: [InputKind: [String]]) -> [DoctorFinding] {
    InputKind.allCases.compactMap { kind in
      let paths = (files[kind] ?? []).suffix(Self.mappedFilesMax)
      guard let rowType = kind.rowType, !paths.isEmpty else { return nil }
      let check = "columns of \(kind.rawValue)"
      for path in paths {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do throws(IntakeError) {
          try Self.readHeader(of: rowType, path, settings.inputs[kind].mapping(of: name))
        } catch {
          return .fault(
            check, "\"\(path)\" will be refused: \(error.reason)",
            cure: "payrecon ingest \(kind.rawValue) --preview \(path) proposes a mapping")
        }
      }
      return .fine(check, paths.count == 1 ? "the file in the inbox has them" : "\(paths.count) files in the inbox have them")
    }
  }

  private static func readHeader<Row: InputRow>(of rowType: Row.Type, _ path: String, _ mapping: InputMapping?) throws(IntakeError) {
    _ = try RowFileReader<Row>(path: path, mapping: mapping)
  }
}
