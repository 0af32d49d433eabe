import Testing
@testable import Descriptors
@Test func builds() {}
