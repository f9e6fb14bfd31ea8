package import Postgres

/// The files of sql/audit: the audit chain.
package enum AuditSQL {
  package static let append = Statement("audit/append.sql")
  package static let checkActs = Statement("audit/check_acts.sql", gives: .text, .text, .text)
  package static let checkEntries = Statement("audit/check_entries.sql", gives: .int8, .text, .text, .text)
  package static let checkEvidence = Statement(
    "audit/check_evidence.sql", gives: .int8, .int8, .text, .int8, .optionalInt8, .optionalInt8, .bool, .int8, .optionalText, .int8,
    .optionalText)
  package static let checkJudgements = Statement("audit/check_judgements.sql", gives: .text, .text, .text)
  package static let list = Listing("audit/list.sql")
  package static let rulesChange = Statement("audit/rules_change.sql")
  package static let runManifests = Statement("audit/run_manifests.sql", gives: .text)
  package static let settingsBefore = Statement("audit/settings_before.sql", gives: .text, .optionalText)
  package static let settingsChange = Statement("audit/settings_change.sql")

  package static let all: [any DeclaredStatement] = [
    append, checkActs, checkEntries, checkEvidence, checkJudgements, list, rulesChange, runManifests, settingsBefore,
    settingsChange,
  ]
}
