// The test product's entry point, by the name that SwiftPM looks for: with one here it does not search every suite for XCTest
// classes, of which there are none, and so needs no index of the code, which takes a fifth of the time to compile the tests.
import Testing

await Testing.__swiftPMEntryPoint() as Never
