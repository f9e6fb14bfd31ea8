package import Postgres

/// The files of sql/audit: the audit chain.
package enum AuditSQL {
  package static let append = Statement(
    "audit/append.sql",
    ["at": .timestamptz, "actor": .text, "act": .text, "subject": .text, "details": .text])
  package static let checkActs = Statement("audit/check_acts.sql", gives: .text, .text, .text)
  package static let checkEntries = Statement(
    "audit/check_entries.sql",
    ["after": .int8, "row_max": .int8],
    gives: .int8, .text, .text, .text)
  package static let checkEvidence = Statement(
    "audit/check_evidence.sql",
    gives: .int8, .int8, .text, .int8, .optionalInt8, .optionalInt8, .bool, .int8, .optionalText, .int8, .optionalText)
  package static let checkJudgements = Statement("audit/check_judgements.sql", gives: .text, .text, .text)
  package static let list = Listing("audit/list.sql", ["as_of": .timestamptz])
  package static let rulesChange = Statement(
    "audit/rules_change.sql",
    ["names": .textArray, "settings": .textArray, "at": .timestamptz, "actor": .text, "run_id": .text])
  package static let runManifests = Statement("audit/run_manifests.sql", ["run_id": .text], gives: .text)
  package static let settingsBefore = Statement("audit/settings_before.sql", gives: .text, .optionalText)
  package static let settingsChange = Statement(
    "audit/settings_change.sql",
    ["at": .timestamptz, "actor": .text, "run_id": .text, "settings_sha256": .text, "changed": .textArray])

  package static let all: [any DeclaredStatement] = [
    append, checkActs, checkEntries, checkEvidence, checkJudgements, list, rulesChange, runManifests, settingsBefore,
    settingsChange,
  ]
}
