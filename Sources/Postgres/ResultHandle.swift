internal import CLibPQ

/// A libpq result, freed once.
@safe final class ResultHandle {
  private let pointer: OpaquePointer?

  init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  var status: ExecStatusType { unsafe PQresultStatus(pointer) }
  var rowCount: Int { Int(unsafe PQntuples(pointer)) }
  var columnCount: Int { Int(unsafe PQnfields(pointer)) }

  var affectedRows: Int {
    guard let text = unsafe PQcmdTuples(pointer) else { return 0 }
    return Int(unsafe String(cString: text)) ?? 0
  }

  /// The command that the server reports as done, such as `COMMIT`.
  var tag: String {
    guard let text = unsafe PQcmdStatus(pointer) else { return "" }
    return unsafe String(cString: text)
  }

  func columnName(_ column: Int) -> String {
    guard let name = unsafe PQfname(pointer, Int32(column)) else { return "" }
    return unsafe String(cString: name)
  }

  func typeOID(_ column: Int) -> UInt32 { unsafe PQftype(pointer, Int32(column)) }

  func parameterTypeOID(_ place: Int) -> UInt32 { unsafe PQparamtype(pointer, Int32(place)) }

  /// Returns the bytes of a cell; nil for null.
  func bytes(row: Int, column: Int) -> [UInt8]? {
    guard unsafe PQgetisnull(pointer, Int32(row), Int32(column)) == 0 else { return nil }
    let length = Int(unsafe PQgetlength(pointer, Int32(row), Int32(column)))
    guard let start = unsafe PQgetvalue(pointer, Int32(row), Int32(column)) else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }

  func serverError(file: String?, place: (Int) -> (line: Int, column: Int)) -> ServerError? {
    func field(_ code: Int32) -> String? {
      guard let text = unsafe PQresultErrorField(pointer, code) else { return nil }
      return unsafe String(cString: text)
    }
    guard let message = field(fieldCode("M")) else { return nil }
    return ServerError(
      sqlState: SQLState(field(fieldCode("C")) ?? "XX000"), message: message, detail: field(fieldCode("D")),
      hint: field(fieldCode("H")), context: field(fieldCode("W")), constraint: field(fieldCode("n")), table: field(fieldCode("t")),
      column: field(fieldCode("c")), file: file,
      position: field(fieldCode("P")).flatMap { Int($0) }.map(place))
  }

  /// Returns the code of a field letter. The C macros of these codes cannot be imported.
  /// - Source: libpq, PQresultErrorField (PG_DIAG_*).
  private func fieldCode(_ letter: Character) -> Int32 { Int32(letter.asciiValue ?? 0) }
}
