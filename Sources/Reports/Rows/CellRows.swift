internal import Domain
public import JobCore
internal import Postgres
package import Wording

/// The rows behind a cell of the tie-out.
public struct CellRows: Sendable {
  /// The word that replaces a table name for cells of the tie-out.
  public static let word = "tieout"

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Returns a description of a cell, one line each, and its rows.
  ///
  /// - Throws: `JobError` if no tie-out up to the clock contains the cell.
  package func table(cell: String) async throws -> (head: [Phrase], rows: ReportTable) {
    try await context.readingSnapshot { tx, asOf in
      let sql = context.sql
      let head = try ReportTable.read(TieoutSQL.rowsHead, ["cell": .text(cell), "as_of": asOf.sqlValue], files: sql, tx: &tx)
      guard let first = head.records.first else {
        throw JobError("refusal.cell", ["id": cell], hint: "Cells and their ids are in payrecon export cells.", status: .usage)
      }
      // A tie-out counted the facts known at its own clock.
      let tiedOut = Timestamp(rfc3339: try first.text("tied_out_at")) ?? asOf
      try tx.lookBack(to: tiedOut, files: sql)
      return try (
        [Self.text(first)] + Self.unsigned(first, tiedOut) + head.records.compactMap { try Self.cause($0, in: head) }
          + Self.candidates(first),
        read([cell], asOf: tiedOut, &tx)
      )
    }
  }

  /// Returns the rows of several cells. Each row names its cell.
  package func rows(cells: [String]) async throws -> ReportTable {
    try await context.readingSnapshot { tx, asOf in try read(cells, asOf: asOf, &tx) }
  }

  private func read(_ cells: [String], asOf: Timestamp, _ tx: inout DatabaseTransaction) throws -> ReportTable {
    try .read(TieoutSQL.rows, ["cells": .textArray(cells), "as_of": asOf.sqlValue], files: context.sql, tx: &tx)
  }

  private static func text(_ row: ReportRecord) throws -> Phrase {
    let texts = try [
      "sku": row.text("sku"), "storefront": row.text("storefront"), "day": row.text("day"),
      "price": "\(row.text("price")) \(row.text("currency"))", "period": row.text("fiscal_period"), "ours": "\(row.int("ours"))",
      "apple": "\(row.int("apple"))", "left": "\(row.int("unexplained_units"))", "open": "\(row.int("open_units"))",
    ]
    return try Phrase("cell.head", texts.mapValues { .plain($0) }.merging(["status": .code(row.text("status"))]) { $1 })
  }

  /// Returns a note about a cell that the signed tie-out of a closed period lacks; empty for any other cell.
  private static func unsigned(_ row: ReportRecord, _ tiedOut: Timestamp) throws -> [Phrase] {
    try row.text("is_after_signed") == "yes"
      ? [.plain("  ") + Phrase("cell.not_signed", ["at": .plain(tiedOut.rfc3339)])] : []
  }

  private static func cause(_ row: ReportRecord, in head: ReportTable) throws -> Phrase? {
    try row["cause"].map { cause in
      let detail = try head.phrase("detail", row.text("detail"))
      return try .plain("  \(cause) \(row.int("units")): ")
        + (row["other_cell"].map { Phrase("cell.other", ["what": detail, "cell": .plain($0)]) } ?? detail)
    }
  }

  private static func candidates(_ row: ReportRecord) throws -> [Phrase] {
    let candidates = try row.text("candidates")
    return candidates.isEmpty ? [] : [.plain("  ") + Phrase("cell.may_be", ["list": .plain(candidates)])]
  }
}
