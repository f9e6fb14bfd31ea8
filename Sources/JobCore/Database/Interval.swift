package import Postgres

package func interval(seconds: Int64) -> Value { .text("\(seconds) seconds") }
