// Every file of this target has these modules.
@_exported public import Dice
@_exported public import Domain
@_exported public import Testing
