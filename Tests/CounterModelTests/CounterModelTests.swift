import Testing
@testable import CounterModel
@Test func builds() {}
