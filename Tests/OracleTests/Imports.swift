// Every file of this target has these modules.
@_exported public import TestSupport
