/// A statement with its parameter values, as it is sent to the server.
struct BoundStatement {
  let text: String
  private let values: [Value]
  /// The file of the statement; nil if it comes from code.
  let file: String?
  /// The text that contains the statement, up to its first byte.
  private let before: String

  /// Approximate size in memory.
  var byteCount: Int { text.utf8.count + values.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }

  init(_ file: SQLFile, _ values: [Value]) { self.init(file.text, values, file: file.path, before: "") }

  private init(_ text: String, _ values: [Value], file: String?, before: String) {
    (self.text, self.values, self.file, self.before) = (text, values, file, before)
  }

  /// Returns the statements of a text without parameters.
  static func all(in source: String, file: String?) -> [BoundStatement] {
    let bytes = Array(source.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return SQLFile.statementRanges(of: source).map { BoundStatement(text($0), [], file: file, before: text(0..<$0.lowerBound)) }
  }

  /// Returns line and column in the containing text, from 1.
  ///
  /// - Parameter position: number of the character in the statement, from 1.
  func lineAndColumn(of position: Int) -> (line: Int, column: Int) {
    Self.lineAndColumn(of: before.unicodeScalars.count + position, in: before + text)
  }

  static func lineAndColumn(of position: Int, in sql: String) -> (line: Int, column: Int) {
    let lines = sql.unicodeScalars.prefix(max(0, position - 1)).split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.count, (lines.last?.count ?? 0) + 1)
  }

  /// Pointers to the text and the parameters, as libpq expects them. They are valid only inside the closure.
  typealias Pointers<Result> = (
    UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
    UnsafePointer<Int32>?
  ) -> Result

  func withPointers<Result>(_ body: Pointers<Result>) -> Result {
    var buffer: [UInt8] = []
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    for value in values {
      let bytes = value.bytes
      offsets.append(bytes == nil ? nil : buffer.count)
      lengths.append(Int32(bytes?.count ?? 0))
      // An empty value also needs an address inside the buffer.
      buffer += (bytes ?? []) + [0]
    }
    let formats = [Int32](repeating: 1, count: values.count)
    return unsafe buffer.withUnsafeBytes { raw in
      let base = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe offsets.map { offset in unsafe offset.flatMap { at in unsafe base.map { unsafe $0 + at } } }
      return unsafe body(text, Int32(values.count), values.map(\.typeOID), pointers, lengths, formats)
    }
  }
}
