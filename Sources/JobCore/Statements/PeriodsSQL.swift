package import Postgres

/// The files of sql/periods: closes and reopenings of fiscal periods, and what became known since.
package enum PeriodsSQL {
  package static let closed = Listing("periods/closed.sql", ["as_of": .timestamptz])
  package static let closedSettings = Statement("periods/closed_settings.sql", gives: .text, .timestamptz, .text)
  package static let compared = Statement("periods/compared.sql", gives: .text, .timestamptz, .timestamptz)
  package static let conclude = Statement(
    "periods/conclude.sql", ["act_id": .text, "step": .text, "person": .text, "reason": .text, "at": .timestamptz],
    gives: .text, .text)
  package static let figures = Listing("periods/figures.sql", ["act_id": .text])
  package static let obstacles = Statement(
    "periods/obstacles.sql", ["period": .text, "as_of": .timestamptz, "at": .timestamptz, "target": .text],
    gives: .int8, .text)
  package static let pending = Listing("periods/pending.sql", ["period": .text])
  package static let proposeClose = Statement(
    "periods/propose_close.sql",
    [
      "act_id": .text, "period": .text, "settings_sha256": .text, "code_version": .text, "person": .text, "reason": .text,
      "as_of": .timestamptz, "at": .timestamptz,
    ], gives: .text, .text)
  package static let proposeReopening = Statement(
    "periods/propose_reopening.sql", ["act_id": .text, "period": .text, "person": .text, "reason": .text, "at": .timestamptz],
    gives: .text, .text)
  package static let recordFigures = Statement(
    "periods/record_figures.sql",
    ["act_id": .text, "reports": .textArray, "slices": .textArray, "currencies": .textArray, "metrics": .textArray, "figures": .textArray])
  package static let recordReport = Statement(
    "periods/record_report.sql",
    [
      "act_id": .text, "report": .text, "run_id": .text, "manifest_sha256": .text, "file_count": .int8, "verdict": .text,
      "verdict_reasons": .textArray,
    ])
  package static let rematched = Statement(
    "periods/rematched.sql", ["charge_ids": .textArray, "since": .timestamptz, "as_of": .timestamptz], gives: .text, .text)
  package static let reports = Listing("periods/reports.sql", ["act_id": .text])
  package static let status = Listing("periods/status.sql", ["as_of": .timestamptz, "period": .text, "target": .text])
  package static let steps = Listing("periods/steps.sql", ["period": .text, "as_of": .timestamptz])
  package static let tieoutCorrections = Listing("periods/tieout_corrections.sql")
  package static let tieoutFigures = Listing("periods/tieout_figures.sql", ["period": .text, "as_of": .timestamptz])
  package static let unmatched = Listing("periods/unmatched.sql")

  package static let all: [any DeclaredStatement] = [
    closed, closedSettings, compared, conclude, figures, obstacles, pending, proposeClose, proposeReopening, recordFigures, recordReport,
    rematched, reports, status, steps, tieoutCorrections, tieoutFigures, unmatched,
  ]
}
