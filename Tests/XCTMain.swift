// The test product's entry point, under the name that SwiftPM expects. With it, SwiftPM does not search every suite for XCTest
// classes, which do not exist here. That search needs an index of the code and takes a fifth of the tests' compile time.
import Testing

await Testing.__swiftPMEntryPoint() as Never
