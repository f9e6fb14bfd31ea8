internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The journal of one period, with its trial balance and files in the layouts of two ledgers.
enum JournalReport {
  /// Returns the header of a journal with its period: the one asked for, else the last fiscal period that has ended.
  static func dated(_ header: ReportHeader, files: SQLFiles, tx: inout DatabaseTransaction) throws -> ReportHeader {
    guard header.kind == .journal, header.period == nil else { return header }
    var header = header
    header.period = try period(at: header.asOf, files: files, tx: &tx)
    return header
  }

  /// Returns the last fiscal period that has ended at a clock.
  static func period(at clock: Timestamp, files: SQLFiles, tx: inout DatabaseTransaction) throws -> String {
    let fiscal = try DeferredCharge.calendars(files: files, tx: &tx)[1]
    return fiscal.name(max(0, fiscal.index(of: Int(clock.microseconds / 86_400_000_000)) - 1))
  }

  /// Writes the files for the ledgers and returns the tables of the report.
  ///
  /// - Throws: `JobError` if the period is unknown, a rate is missing, or an identity of the journal does not hold.
  static func write(
    _ header: ReportHeader, to folder: inout ReportFolder, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> [FinancialReport.Part] {
    let derived = try DerivedTable.read(.journal, period: header.period, at: header.asOf, context: context, tx: &tx)
    guard let journal = derived.journal else { return [] }
    let lines = try journal.lines()
    let identities = journal.identities(of: lines)
    try Journal.check(identities)
    let layout = LedgerLayout(journal: journal, lines: lines)
    try folder.add("journal_sap.csv", layout.sap)
    try folder.add("journal_netsuite.csv", layout.netSuite)
    return [
      .init(name: "journal", title: "title.journal", note: "journal.note", table: journal.table(lines)),
      .init(name: "trial_balance", title: "trial_balance.title", note: "trial_balance.note", table: journal.trialBalance),
      .init(
        name: "journal_identities", title: "identities.title", note: "journal.identities_note",
        table: try ReportIdentity.table(identities, keys: ReportIdentity.periodKeys)),
    ]
  }
}

/// Lines of the journal as files that two ledgers import. Lines without an amount in their own currency, which revalue a balance, are
/// booked in the base currency.
struct LedgerLayout {
  let journal: Journal
  let lines: [Journal.Line]

  private var day: String { journal.date(journal.plan.period) }
  private var base: String? { journal.plan.settings.rates?.base }

  /// Columns of a general-ledger upload to SAP: 40 is the posting key of a debit, 50 of a credit.
  ///
  /// - Source: SAP Help, fields of the tables BKPF and BSEG.
  var sap: [UInt8] {
    file(["BLDAT", "BUDAT", "BLART", "WAERS", "XBLNR", "BUZEI", "BSCHL", "HKONT", "WRBTR", "DMBTR", "ZUONR", "SGTXT"]) { line, number in
      let date = day.filter { $0 != "-" }
      return [
        date, date, "SA", currency(line), document(line), "\(number)", booked(line) > 0 ? "40" : "50", code(line), amount(line),
        line.base.flatMap { base in self.base.map { Money.text(milliunits: abs(base.milliunits), currency: $0) } }, id(line), memo(line),
      ]
    }
  }

  /// Columns of a journal entry import to NetSuite. Lines with one external id form one journal entry.
  ///
  /// - Source: NetSuite Help, Journal Entry Import.
  var netSuite: [UInt8] {
    file(["External ID", "Date", "Currency", "Account", "Debit", "Credit", "Memo", "Line ID", "App", "Storefront", "Product"]) { line, _ in
      [
        "payrecon \(document(line))", day, currency(line), code(line), booked(line) > 0 ? amount(line) : nil,
        booked(line) > 0 ? nil : amount(line), memo(line), id(line), line.key.app, line.key.storefront, line.key.product,
      ]
    }
  }

  private func isRevaluation(_ line: Journal.Line) -> Bool { line.key.entry == Journal.revaluation }
  private func currency(_ line: Journal.Line) -> String { isRevaluation(line) ? base ?? "" : line.key.currency }
  private func booked(_ line: Journal.Line) -> Int128 { isRevaluation(line) ? line.base?.milliunits ?? 0 : line.milliunits }
  private func amount(_ line: Journal.Line) -> String { Money.text(milliunits: abs(booked(line)), currency: currency(line)) }
  private func code(_ line: Journal.Line) -> String { journal.plan.settings.code(line.key.account) }
  private func id(_ line: Journal.Line) -> String { journal.id(line.key, in: journal.plan.period) }

  /// The document of a line, in which debits equal credits.
  private func document(_ line: Journal.Line) -> String {
    let kind = isRevaluation(line) ? Journal.revaluation : "journal"
    return "\(journal.plan.calendar.name(journal.plan.period)) \(line.key.currency) \(kind)"
  }

  private func memo(_ line: Journal.Line) -> String {
    let key = line.key
    let restated = key.restates.map { journal.plan.calendar.name($0) } ?? ""
    return [key.event.rawValue, key.entry, restated, key.cause?.rawValue ?? "", key.app, key.product, key.storefront]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func file(_ head: [String], _ row: (Journal.Line, Int) -> [String?]) -> [UInt8] {
    var numbers: [String: Int] = [:]
    return lines.reduce(into: CSVLine.bytes(head)) { bytes, line in
      numbers[document(line), default: 0] += 1
      bytes += CSVLine.bytes(row(line, numbers[document(line)] ?? 0))
    }
  }
}
