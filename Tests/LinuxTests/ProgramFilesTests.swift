import Glibc
import Linux
import TestSupport
import Testing

@Suite struct ProgramPagesTests {
    @Test func `Released pages are no longer resident, and the program runs on`() {
        let process = RunningProcess(pid: getpid())
        let before = process.residentBytes
        ProgramPages.release()
        #expect(process.residentBytes < before)
    }
}
