// Every file of this target has these modules.
@_exported public import AppStoreServer
@_exported public import Domain
@_exported public import HTTP
@_exported public import Testing
