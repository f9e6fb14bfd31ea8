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

  /// Reads the journal of a period at the transaction's clock.
  static func read(_ period: String, context: JobContext, tx: inout DatabaseTransaction) throws -> Journal {
    let calendars = try DeferredCharge.calendars(files: context.sql, tx: &tx)
    let rates = context.settings.finance.proceedsRates
    var journal = Journal(try Journal.plan(period, calendars, context.settings.journal))
    try DeferredCharge.stream(files: context.sql, tx: &tx) { charge in
      try journal.add(charge, charge.money(in: journal.plan.number, by: rates))
    }
    return journal
  }

  /// Writes the files for the ledgers.
  ///
  /// - Returns: the tables of the report.
  /// - Throws: `JobError` if the period is unknown, a rate is missing, or an identity of the journal does not hold.
  static func write(
    _ header: ReportHeader, to folder: inout ReportFolder, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> [TieoutReport.Part] {
    let journal = try read(header.period ?? "", context: context, tx: &tx)
    let table = try journal.table
    let identities = try journal.identities(of: table)
    try Journal.check(identities)
    try folder.add("journal_sap.csv", LedgerLayout.sap(table.records))
    try folder.add("journal_netsuite.csv", LedgerLayout.netSuite(table.records))
    return [
      .init(name: "journal", title: "title.journal", note: "journal.note", table: table),
      .init(name: "trial_balance", title: "trial_balance.title", note: "trial_balance.note", table: journal.trialBalance),
      .init(
        name: "journal_identities", title: "identities.title", note: "journal.identities_note",
        table: try ReportIdentity.table(identities, places: ReportIdentity.moneyPlaces)),
    ]
  }
}

/// Lines of the journal as files that two ledgers import. Lines without an amount in their own currency, which revalue a balance, are
/// booked in the base currency.
enum LedgerLayout {
  /// Columns of a general-ledger upload to SAP: 40 is the posting key of a debit, 50 of a credit.
  ///
  /// - Source: SAP Help, fields of the tables BKPF and BSEG.
  static func sap(_ lines: [ReportRecord]) throws -> [UInt8] {
    try file(
      ["BLDAT", "BUDAT", "BLART", "WAERS", "XBLNR", "BUZEI", "BSCHL", "HKONT", "WRBTR", "DMBTR", "ZUONR", "SGTXT"],
      lines
    ) { line, entry, number in
      let day = try line.text("posted_on").filter { $0 != "-" }
      return try [
        day, day, "SA", entry.currency, entry.document, "\(number)", entry.isDebit ? "40" : "50", line.text("account_code"), entry.amount,
        entry.base, line.text("line_id"), entry.memo,
      ]
    }
  }

  /// Columns of a journal entry import to NetSuite. Lines with one external id form one journal entry.
  ///
  /// - Source: NetSuite Help, Journal Entry Import.
  static func netSuite(_ lines: [ReportRecord]) throws -> [UInt8] {
    try file(
      ["External ID", "Date", "Currency", "Account", "Debit", "Credit", "Memo", "Line ID", "App", "Storefront", "Product"], lines
    ) { line, entry, _ in
      try [
        "payrecon \(entry.document)", line.text("posted_on"), entry.currency, line.text("account_code"), entry.isDebit ? entry.amount : nil,
        entry.isDebit ? nil : entry.amount, entry.memo, line.text("line_id"), line.text("bundle_id"), line.text("storefront"),
        line.text("product_id"),
      ]
    }
  }

  /// The cells of a line that both layouts have.
  private struct Entry {
    var document: String
    var currency: String
    var isDebit: Bool
    var amount: String
    var base: String?
    var memo: String

    init(_ line: ReportRecord) throws {
      let isRevaluation = try line.text("entry") == Journal.revaluation
      let (own, baseCurrency) = try (line.text("currency"), line.text("base_currency"))
      func side(_ prefix: String) throws -> Int128 { try line.int("\(prefix)debit_milliunits") - line.int("\(prefix)credit_milliunits") }
      let (amount, base) = try (side(""), side("base_"))
      let booked = isRevaluation ? base : amount
      currency = isRevaluation ? baseCurrency : own
      document = try "\(line.text("period")) \(own) \(isRevaluation ? Journal.revaluation : "journal")"
      isDebit = booked > 0
      self.amount = Money.text(milliunits: abs(booked), currency: currency)
      self.base = baseCurrency.isEmpty ? nil : Money.text(milliunits: abs(base), currency: baseCurrency)
      memo = try ["event", "entry", "restates_period", "cause", "bundle_id", "product_id", "storefront"].compactMap { column in
        try line[column].flatMap { $0.isEmpty ? nil : $0 }
      }.joined(separator: " ")
    }
  }

  private static func file(
    _ head: [String], _ lines: [ReportRecord], _ row: (ReportRecord, Entry, Int) throws -> [String?]
  ) throws -> [UInt8] {
    var bytes = CSVLine.bytes(head)
    var numbers: [String: Int] = [:]
    for line in lines {
      let entry = try Entry(line)
      numbers[entry.document, default: 0] += 1
      bytes += CSVLine.bytes(try row(line, entry, numbers[entry.document] ?? 0))
    }
    return bytes
  }
}
