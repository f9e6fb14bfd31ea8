package import Postgres

/// The files of sql/schedules: the facts from which schedules of revenue are made. Their last columns are those of `facts`.
package enum SchedulesSQL {
  package static let books = Statement("schedules/books.sql", gives: .text, .text, .timestamptz, .timestamptz)
  package static let charges = Statement(
    "schedules/charges.sql", gives: .text, .optionalText, .text, .optionalText, .optionalText, .text, .text, .text, .text, .text, .text,
    .int8, .bool, .optionalText, .optionalText, .optionalText, .optionalText, .timestamptz, .timestamptz, .optionalTimestamptz,
    .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz)
  package static let facts = Statement(
    "schedules/facts.sql", gives: .text, .text, .text, .text, .text, .text, .int8, .bool, .optionalText, .optionalText, .optionalText,
    .optionalText, .timestamptz, .timestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz,
    .optionalTimestamptz, .optionalTimestamptz)
  package static let tracedCharges = Statement(
    "schedules/traced_charges.sql", gives: .optionalText, .text, .optionalText, .text, .optionalText, .optionalText, .text, .text, .text,
    .text, .text, .text, .int8, .bool, .optionalText, .optionalText, .optionalText, .optionalText, .timestamptz, .timestamptz,
    .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz, .optionalTimestamptz)
  package static let zones = Statement("schedules/zones.sql", gives: .text, .text)

  package static let all: [any DeclaredStatement] = [books, charges, facts, tracedCharges, zones]
}
