// Every file of this target has these modules.
@_exported public import Domain
@_exported public import Testing
@_exported public import Wording
