package import Postgres

/// A span of seconds as PostgreSQL reads it.
package func interval(seconds: Int64) -> Value { .text("\(seconds) seconds") }
