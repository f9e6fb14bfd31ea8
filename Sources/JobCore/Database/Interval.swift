package import Postgres

/// Returns a number of seconds as a PostgreSQL interval.
package func interval(seconds: Int64) -> Value { .text("\(seconds) seconds") }
