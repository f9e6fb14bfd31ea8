// Every file of this target has these modules.
@_exported public import Cryptography
@_exported public import Dice
@_exported public import Review
@_exported public import Simulation
@_exported public import TestSupport
@_exported public import Wording
