// Every file of this target has these modules.
@_exported public import Repository
@_exported public import Testing
