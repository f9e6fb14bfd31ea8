// Every file of this target has these modules.
@_exported public import AppStoreServer
@_exported public import AppStoreSimulator
@_exported public import TestSupport
