import Testing
@testable import CounterTUI
@Test func builds() {}
