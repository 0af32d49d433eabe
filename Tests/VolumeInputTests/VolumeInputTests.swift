import Testing
@testable import VolumeInput
@Test func builds() {}
