internal import CLibPQ

/// A libpq result, freed once.
@safe final class ResultHandle {
  private let pointer: OpaquePointer?

  init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  var status: ExecStatusType { unsafe PQresultStatus(pointer) }
  var rowCount: Int { Int(unsafe PQntuples(pointer)) }
  var columnCount: Int { Int(unsafe PQnfields(pointer)) }

  var affectedRows: Int { unsafe Self.text(PQcmdTuples(pointer)).flatMap { Int($0) } ?? 0 }

  /// The command that the server reports as done, such as `COMMIT`.
  var tag: String { unsafe Self.text(PQcmdStatus(pointer)) ?? "" }

  func columnName(_ column: Int) -> String { unsafe Self.text(PQfname(pointer, Int32(column))) ?? "" }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? { unsafe text.map { unsafe String(cString: $0) } }

  func typeOID(_ column: Int) -> UInt32 { unsafe PQftype(pointer, Int32(column)) }

  func parameterTypeOID(_ place: Int) -> UInt32 { unsafe PQparamtype(pointer, Int32(place)) }

  /// Returns the bytes of a cell; nil for null.
  func bytes(row: Int, column: Int) -> [UInt8]? {
    guard unsafe PQgetisnull(pointer, Int32(row), Int32(column)) == 0 else { return nil }
    let length = Int(unsafe PQgetlength(pointer, Int32(row), Int32(column)))
    guard let start = unsafe PQgetvalue(pointer, Int32(row), Int32(column)) else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }

  /// Returns the error of a failed result; nil if it has none.
  ///
  /// - Source: libpq, PQresultErrorField (PG_DIAG_*).
  func serverError(file: String?, place: (Int) -> (line: Int, column: Int)) -> ServerError? {
    // The C macros of the codes cannot be imported.
    func field(_ letter: Character) -> String? { unsafe Self.text(PQresultErrorField(pointer, Int32(letter.asciiValue ?? 0))) }
    guard let message = field("M") else { return nil }
    return ServerError(
      sqlState: SQLState(field("C") ?? "XX000"), message: message, context: field("W"), constraint: field("n"), file: file,
      position: field("P").flatMap { Int($0) }.map(place))
  }
}
