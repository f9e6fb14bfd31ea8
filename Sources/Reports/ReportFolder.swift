internal import Cryptography
internal import Domain
internal import Glibc
internal import JobCore
internal import Postgres
internal import SystemCalls

/// A folder that receives a complete set of files or nothing. Files get temporary names first and are then renamed, the manifest last.
///
/// Each table is written once, to CSV with its schema, to the workbook, or to both. The old manifest is removed before the first rename,
/// so a manifest never describes files of another night.
package struct ReportFolder {
  package static let manifestName = "manifest.json"
  /// Mode of the folder. Reports name customers, so only owner and group may read it.
  private static let folderMode: mode_t = 0o750

  let directory: String
  private(set) var entries: [Manifest.File] = []
  private var partials: [String] = []
  private let header: ReportHeader
  let formats: Set<ReportFormat>
  let words: ColumnDictionary
  /// The open JSON that receives all tables; nil if there is none, or while a table is open.
  private var json: ReportFile?
  private var workbook: (file: ReportFile, book: ReportWorkbook)?
  private let lock: FolderLock

  /// - Parameter sheetRows: maximum number of rows of a workbook's sheet, including the header.
  /// - Throws: `JobError` if the folder cannot be created or another process writes to it, or a workbook is requested but not supported
  ///   here.
  init(directory: String, header: ReportHeader, formats: Set<ReportFormat>, sheetRows: Int, words: ColumnDictionary) throws(JobError) {
    self.directory = directory
    self.header = header
    self.formats = formats
    self.words = words
    try ReportWorkbook.checkAvailable(for: formats)
    do { try Folder.make(directory, mode: Self.folderMode) } catch {
      throw Self.failure("make the report folder \"\(error.path)\"", error.code)
    }
    lock = try FolderLock(directory)
    guard formats.contains(.xlsx) else { return }
    let file = try begin("\(header.kind.pageName).xlsx")
    do {
      workbook = (
        file,
        try ReportWorkbook(
          path: "\(directory)/\(file.name)", target: file.systemPath, temporaryFolder: directory, header: header,
          sheetRows: sheetRows, words: words)
      )
    } catch {
      discard()
      throw error
    }
  }

  mutating func add(_ name: String, _ table: ReportTable) throws {
    var rows = try begin(table: name)
    rows.isNumeric = table.isNumeric
    try rows.begin(columns: table.columns, differences: table.differences)
    for row in table.rows { try rows.add(row) }
    try end(rows)
  }

  /// Streams the rows of a statement to a table, in constant memory.
  ///
  /// - Parameter use: receives each row, with phrases as JSON.
  mutating func add(
    _ name: String, _ file: SQLFile, _ parameters: [String: Value], computed: RowEncoder.Computed? = nil, tx: inout DatabaseTransaction,
    use: (ReportRecord) throws -> Void = { _ in }
  ) throws {
    var rows = try begin(table: name)
    var index: [String: Int] = [:]
    let hiddenCount = computed?.hiddenCount ?? 0
    _ = try tx.stream(
      file, parameters,
      columns: { columns in
        index = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        try rows.begin(columns: Array(columns.dropLast(hiddenCount)))
      },
      row: { row in
        if rows.isNumeric.isEmpty { rows.isNumeric = row.numericColumns.dropLast(hiddenCount) }
        var cells = try row.englishTexts
        let record = ReportRecord(index: index, cells: row.texts)
        if let computed, let place = index[computed.column] { cells[place] = try computed.value(record) }
        try rows.add(Array(cells.dropLast(hiddenCount)))
        try use(record)
      })
    try end(rows)
  }

  /// Opens a table in all requested formats. The caller passes it to `end`.
  mutating func begin(table name: String) throws(JobError) -> ReportRows {
    let file = formats.contains(.csv) ? try begin("\(name).csv") : nil
    return ReportRows(name: name, file: file, json: json.take(), sheet: workbook?.book.table(name))
  }

  /// Ends a table and writes the schema of its CSV.
  mutating func end(_ rows: ReportRows) throws {
    var rows = rows
    try rows.end()
    json = rows.json
    guard let file = rows.file else { return }
    try end(file)
    guard header.hasSchemas else { return }
    try add("\(rows.name)\(TableSchema.ending)", TableSchema.json(relation: rows.name, columns: rows.columns, words: words))
  }

  /// Opens the JSON that receives all tables until it ends, if JSON is requested.
  ///
  /// - Parameter tables: tables that it contains before those that follow.
  mutating func beginJSON(_ name: String, tables: [(name: String, table: ReportTable)] = []) throws(JobError) {
    guard formats.contains(.json) else { return }
    json = try begin(name)
    try json?.write("{\n\(header.json)")
    for (name, table) in tables { try json?.write(",\n\(ReportText.quoted(name)):\(ReportText.json(table))") }
  }

  mutating func endJSON() throws(JobError) {
    guard let file = json.take() else { return }
    try file.write("\n}\n")
    try end(file)
  }

  /// Writes the page, if HTML is requested.
  mutating func addPage(_ html: () throws -> String) throws {
    guard formats.contains(.html) else { return }
    try add("\(header.kind.pageName).html", Array(try html().utf8))
  }

  /// Writes a file under a temporary name.
  mutating func add(_ name: String, _ bytes: [UInt8]) throws {
    let file = try begin(name)
    try file.write(bytes)
    try end(file)
  }

  /// Opens a file. The caller passes it to `end`.
  private mutating func begin(_ name: String) throws(JobError) -> ReportFile {
    partials.append(name)
    return try ReportFile(name: name, path: temporary(name))
  }

  private mutating func end(_ file: ReportFile) throws(JobError) { entries.append(try file.finish()) }

  /// Renames all files to their final names, then writes the manifest. Returns the names of the files, the manifest last.
  mutating func publish() throws(JobError) -> [String] {
    if let workbook {
      try workbook.book.close()
      self.workbook = nil
      entries.append(try workbook.file.finishWritten())
    }
    let lines = entries.sorted { $0.name < $1.name }.map {
      "{\"name\":\(ReportText.quoted($0.name)),\"bytes\":\($0.byteCount),\"sha256\":\"\($0.sha256)\"}"
    }
    let text = "{\n\(header.json),\n\"files\":[\n\(lines.joined(separator: ",\n"))\n]\n}\n"
    let file = try begin(Self.manifestName)
    try file.write(text)
    _ = try file.finish()
    // Files of an earlier report of this kind that this one does not replace would look like its own.
    let earlier = try? Manifest.read(directory: directory)
    let stale = earlier.map { $0.report == header.kind.rawValue ? Set($0.files.map(\.name)).subtracting(partials) : [] } ?? []
    for name in [Self.manifestName] + stale { unsafe unlink("\(directory)/\(name)") }
    for name in partials {
      guard unsafe rename(temporary(name), "\(directory)/\(name)") == 0 else {
        throw Self.failure("name the report \"\(directory)/\(name)\"", errno)
      }
    }
    partials = []
    lock.syncFolder()
    return entries.map(\.name).sorted() + [Self.manifestName]
  }

  /// Removes all files that have no final name yet.
  mutating func discard() {
    (workbook, json) = (nil, nil)
    for name in partials { unsafe unlink(temporary(name)) }
    partials = []
  }

  private func temporary(_ name: String) -> String { "\(directory)/.\(name).partial" }

  static func failure(_ attempt: String, _ code: Int32) -> JobError {
    let reason =
      switch code {
      case ENOSPC, EDQUOT: ("no space is left on the disk", "free some space and write the report again")
      case EACCES, EPERM, EROFS: ("this user may not write there", "name another folder with --out")
      case ENOTDIR: ("a file of that name is in the way", "name another folder with --out")
      default: (errnoText(code), "look at the disk and write the report again")
      }
    return JobError("could not \(attempt): \(reason.0)", hint: reason.1)
  }
}

/// The exclusive right to write a report to a folder, from creation to release.
private final class FolderLock: Sendable {
  /// Maximum number of attempts, and microseconds between them.
  private static let attemptsMax = 50
  private static let pauseMicroseconds: UInt32 = 100_000

  private let descriptor: Int32

  /// Waits a few seconds if another process has the right.
  ///
  /// - Throws: `JobError` if it keeps the right.
  /// - Source: flock(2).
  init(_ directory: String) throws(JobError) {
    descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportFolder.failure("open the report folder \"\(directory)\"", errno) }
    for _ in 0..<Self.attemptsMax {
      // A file system without locks gives none.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(Self.pauseMicroseconds)
    }
    throw JobError(
      "could not write the report to \"\(directory)\": another process writes one there",
      hint: "Wait until it has ended, or name another folder with --out.", status: .lockHeld)
  }

  /// Makes the names in the folder durable.
  func syncFolder() { fsync(descriptor) }

  deinit { close(descriptor) }
}

/// A file that is written through a bounded buffer and hashed at the same time.
final class ReportFile {
  /// Buffer size in bytes from which the buffer is written.
  static let bufferBytes = 1 << 18
  private static let mode: mode_t = 0o640

  let name: String
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var hash: SHA256? = SHA256()
  private var byteCount = 0

  init(name: String, path: String) throws(JobError) {
    self.name = name
    self.path = path
    descriptor = LocalFile.create(path, mode: Self.mode)
    guard descriptor >= 0 else { throw ReportFolder.failure("write the report \"\(path)\"", errno) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(JobError) {
    buffer += bytes
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  func write(_ text: String) throws(JobError) { try write(Array(text.utf8)) }

  private func flush() throws(JobError) {
    do { try Descriptor.write(buffer[...], to: descriptor) } catch {
      throw ReportFolder.failure("write the report \"\(path)\"", error.code)
    }
    hash?.update(buffer[...])
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest of the buffer and syncs the file to disk.
  func finish() throws(JobError) -> Manifest.File {
    try flush()
    try sync()
    return Manifest.File(name: name, byteCount: byteCount, sha256: hash.take()?.hex() ?? "")
  }

  /// The open file as a path, for a library that writes it itself.
  var systemPath: String { "/proc/self/fd/\(descriptor)" }

  /// Syncs and hashes the contents that a library wrote to `systemPath`.
  func finishWritten() throws(JobError) -> Manifest.File {
    try sync()
    guard let written = try LocalFile.hash(systemPath) else { throw ReportFolder.failure("read the report \"\(path)\"", ENOENT) }
    return Manifest.File(name: name, byteCount: written.byteCount, sha256: written.sha256)
  }

  private func sync() throws(JobError) {
    guard fsync(descriptor) == 0 else { throw ReportFolder.failure("write the report \"\(path)\" to the disk", errno) }
  }
}
