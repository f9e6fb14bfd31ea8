package import Postgres

/// The files of sql/inputs: the orders, charges and decisions that rungs, classes and rules read.
package enum InputsSQL {
  package static let everything = Script("inputs/all.sql")
  /// The script to run after `everything` if large tables are distributed.
  package static let gathered = Script("inputs/gathered.sql")
  package static let asOfCharges = Script("inputs/as_of_charges.sql")
  package static let component = Script("inputs/component.sql")
  package static let componentCharges = Script("inputs/component_charges.sql")
  package static let componentOfDetect = Script("inputs/component_of_detect.sql")
  package static let componentOfMatch = Script("inputs/component_of_match.sql")
  package static let standingBreaks = Script("inputs/standing_breaks.sql")
  package static let subjects = Script("inputs/subjects.sql")

  package static let all: [any DeclaredStatement] = [
    everything, gathered, asOfCharges, component, componentCharges, componentOfDetect, componentOfMatch, standingBreaks, subjects,
  ]
}
