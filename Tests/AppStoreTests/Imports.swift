// Every file of this target has these modules.
@_exported public import AppStore
@_exported public import Cryptography
@_exported public import Dice
@_exported public import Domain
@_exported public import SimulatedSigning
@_exported public import Testing
@_exported public import Wording
