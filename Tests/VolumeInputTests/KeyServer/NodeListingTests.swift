import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer

@Suite struct NodeListingTests {
    /// (bitmap, code, in it): words of 64 bits, the highest first, leading zeros left out.
    @Test(
        arguments: [
            ("c000000000000 0", 114, true), ("c000000000000 0", 115, true), ("c000000000000 0", 113, false),
            ("c000000000000 0", 50, false), ("8000000000000 0", 115, true), ("8000000000000 0", 114, false),
            ("c000000000000", 50, true), ("c000000000000", 114, false), ("0", 0, false), ("1", 0, true),
            ("1 0 0 0 0", 0x100, true), ("1 0 0 0 0", 0, false), ("1 0 0 0 0", 0x2FF, false),
            ("8000000000000000 0 0 0 0 0 0 0 0 0 0 0", 0x2FF, true),
            ("", 114, false), ("rubbish ffffffffffffffff", 114, false), ("ffffffffffffffffff", 1, false),
            // A keyboard's, as the kernel wrote it.
            ("402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", 115, true),
            ("402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", 0, false),
        ] as [(String, UInt16, Bool)])
    func theBitmapIsWordsTheHighestFirst(bitmap: String, code: UInt16, isIn: Bool) {
        #expect(NodeListing.contains(code, in: bitmap) == isIn)
    }

    private func listing(_ files: [String: String], meanings: KeyMeanings = .volumeKeys) throws
        -> NodeListing?
    {
        let root = try ScratchFolder()
        for (name, text) in files { try root.write("event3/device/\(name)", text) }
        return NodeListing(node: "event3", meanings: meanings, root: root.path)
    }

    @Test func aNodeThatMayNotBeOpenedIsStillKnown() throws {
        let listing = try #require(
            try listing([
                "capabilities/key": "c000000000000 0\n", "name": "Käthe's Remote\n", "phys": "usb-1/input0\n",
                "uniq": "A1\n", "id/bustype": "0003\n", "id/vendor": "046d\n", "id/product": "c52b\n",
            ]))
        #expect(listing.countedKeys == [CountedKeys(.up), CountedKeys(.down)])
        #expect(
            listing.identity
                == DeviceIdentity(
                    bus: 3, vendor: 0x46D, product: 0xC52B, name: "Käthe's Remote", phys: "usb-1/input0",
                    uniq: "A1"))
    }

    @Test func whatIsMissingIsEmpty() throws {
        let listing = try #require(
            try listing(["capabilities/key": "0", "id/bustype": "rubbish", "phys": ""]))
        #expect(listing.countedKeys.isEmpty)
        #expect(listing.identity == DeviceIdentity(bus: 0, vendor: 0, product: 0, name: "event3"))
    }

    @Test func onlyTheCountedKeysAreAskedFor() throws {
        let foot = KeyMeanings(up: [48], down: [], reset: [115])
        let listing = try #require(try listing(["capabilities/key": "c000000000000 0"], meanings: foot))
        #expect(listing.countedKeys == CountedKeys(.reset))
    }

    @Test func withoutSysfsNothingIsKnown() throws {
        #expect(try listing([:]) == nil)
        #expect(try listing(["name": "x"]) == nil)
    }
}
