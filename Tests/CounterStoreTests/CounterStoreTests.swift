import Testing
@testable import CounterStore
@Test func builds() {}
