// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "counter",
    products: [
        .executable(name: "counter", targets: ["counter"]),
        .executable(name: "counter-keys", targets: ["counter-keys"]),
        .executable(name: "counter-manual", targets: ["counter-manual"]),
        // For the power-cut test alone, which preloads it into the program.
        .library(name: "PowerCutRecorder", type: .dynamic, targets: ["CPowerCutRecorder"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Low floors first; a target depends only on targets above its own line.
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .target(name: "CLinux"),
        .target(name: "Descriptors", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "VolumeInput", dependencies: ["CEvdev", "CLinux", "Descriptors"], swiftSettings: strict),
        .target(name: "CounterModel", swiftSettings: strict),
        .target(name: "SystemZones", dependencies: ["CounterModel", "Descriptors"], swiftSettings: strict),
        .target(
            name: "CounterStore",
            dependencies: ["CounterModel", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "CounterTUI", dependencies: ["CNcurses", "CLinux", "Descriptors", "CounterModel"],
            swiftSettings: strict),
        .executableTarget(
            name: "counter-keys", dependencies: ["VolumeInput", "Descriptors"], swiftSettings: strict),
        .executableTarget(
            name: "counter",
            dependencies: [
                "VolumeInput", "CounterModel", "CounterStore", "CounterTUI", "Descriptors", "CLinux",
                "SystemZones",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: strict),
        // For the makers of packages: the manual, from the help of `counter`.
        .executableTarget(
            name: "counter-manual",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),

        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "CPowerCutRecorder", path: "Tests/PowerCutRecorder", publicHeadersPath: "."),
        .target(
            name: "TestSupport", dependencies: ["CEvdev", "CTestSupport", "CounterModel"],
            path: "Tests/TestSupport", exclude: ["Days/make-reference.py", "Days/reference.csv"],
            swiftSettings: strict),
        .executableTarget(
            name: "counter-demo", dependencies: ["CEvdev", "TestSupport"], path: "Tests/Demo",
            exclude: ["run", "tmux.conf"], swiftSettings: strict),
        .target(
            name: "CBenchTwin", dependencies: ["CEvdev"], path: "Tests/BenchTwin",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "counter-bench",
            dependencies: [
                "CBenchTwin", "CounterModel", "CounterStore", "CounterTUI", "Descriptors", "TestSupport",
                "VolumeInput",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Bench", exclude: ["run"], swiftSettings: strict),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        // Fails where there is no /dev/uinput: it runs in the guest (Tests/Guest) there.
        .testTarget(
            name: "KernelTests", dependencies: ["TestSupport", "CTestSupport", "VolumeInput", "Descriptors"],
            swiftSettings: strict),
        .testTarget(
            name: "DescriptorsTests", dependencies: ["Descriptors", "CLinux", "TestSupport", "CTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "VolumeInputTests",
            dependencies: ["VolumeInput", "Descriptors", "TestSupport", "CTestSupport", "counter-keys"],
            exclude: ["Support/send-packets"], swiftSettings: strict),
        // The real program in tmux. GRDB lays hands on a journal as no program should.
        .testTarget(
            name: "TerminalTests",
            dependencies: ["TestSupport", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .testTarget(
            name: "CounterModelTests", dependencies: ["CounterModel", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SystemZonesTests", dependencies: ["SystemZones", "CounterModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CounterStoreTests",
            dependencies: [
                "CounterStore", "CounterModel", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CounterTUITests",
            dependencies: ["CounterTUI", "CounterModel", "Descriptors", "CLinux", "TestSupport"],
            exclude: ["Golden"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
