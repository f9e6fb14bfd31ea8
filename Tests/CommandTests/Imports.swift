// Every file of this target has these modules.
@_exported public import AppStoreSimulator
@_exported public import Cryptography
@_exported public import Dice
@_exported public import SystemCalls
@_exported public import TestSupport
