package import Postgres

/// The files of sql/periods: closes and reopenings of fiscal periods, and what became known since.
package enum PeriodsSQL {
  package static let closed = Listing("periods/closed.sql")
  package static let closedSettings = Statement("periods/closed_settings.sql", gives: .text, .timestamptz, .text)
  package static let compared = Statement("periods/compared.sql", gives: .text, .timestamptz, .timestamptz)
  package static let conclude = Statement("periods/conclude.sql", gives: .text, .text)
  package static let erasedSince = Statement("periods/erased_since.sql", gives: .int8)
  package static let figures = Listing("periods/figures.sql")
  package static let obstacles = Statement("periods/obstacles.sql", gives: .int8, .text)
  package static let pending = Listing("periods/pending.sql")
  package static let proposeClose = Statement("periods/propose_close.sql", gives: .text, .text)
  package static let proposeReopening = Statement("periods/propose_reopening.sql", gives: .text, .text)
  package static let recordFigures = Statement("periods/record_figures.sql")
  package static let recordReport = Statement("periods/record_report.sql")
  package static let rematched = Statement("periods/rematched.sql", gives: .text, .text)
  package static let reports = Listing("periods/reports.sql")
  package static let status = Listing("periods/status.sql")
  package static let steps = Listing("periods/steps.sql")
  package static let tieoutCorrections = Listing("periods/tieout_corrections.sql")
  package static let tieoutFigures = Listing("periods/tieout_figures.sql")
  package static let unmatched = Listing("periods/unmatched.sql")

  package static let all: [any DeclaredStatement] = [
    closed, closedSettings, compared, conclude, erasedSince, figures, obstacles, pending, proposeClose, proposeReopening, recordFigures,
    recordReport, rematched, reports, status, steps, tieoutCorrections, tieoutFigures, unmatched,
  ]
}
