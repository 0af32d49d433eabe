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
        .executable(name: "counter-ringer", targets: ["counter-ringer"]),
        .executable(name: "counter-manual", targets: ["counter-manual"]),
        .executable(name: "counter-practice", targets: ["counter-practice"]),
        // Only for the power-cut test, which preloads it into the program.
        .library(name: "PowerCutRecorder", type: .dynamic, targets: ["CPowerCutRecorder"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // A target depends only on targets above its own line.
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CLinux"),
        .target(name: "System", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "KeyProtocol", dependencies: ["System"], swiftSettings: strict),
        .target(
            name: "KeyServer", dependencies: ["CEvdev", "CLinux", "System", "KeyProtocol"],
            swiftSettings: strict),
        .target(
            name: "VolumeInput", dependencies: ["CLinux", "System", "KeyProtocol"], swiftSettings: strict),
        .target(name: "CounterModel", dependencies: ["System"], swiftSettings: strict),
        .target(name: "Practice", dependencies: ["CounterModel"], swiftSettings: strict),
        .target(name: "RingerProtocol", dependencies: ["System"], swiftSettings: strict),
        .target(
            name: "RingerClient", dependencies: ["CLinux", "System", "RingerProtocol", "CounterModel"],
            swiftSettings: strict),
        .target(name: "Ringer", dependencies: ["CLinux", "System", "RingerProtocol"], swiftSettings: strict),
        .target(name: "TimerModel", dependencies: ["CounterModel"], swiftSettings: strict),
        .target(name: "Zones", dependencies: ["CounterModel", "System"], swiftSettings: strict),
        .target(name: "SQL", dependencies: ["CSQLite", "System"], swiftSettings: strict),
        .target(
            name: "CounterStore",
            dependencies: ["CLinux", "CounterModel", "TimerModel", "SQL", "System", "Zones"],
            swiftSettings: strict),
        .target(
            name: "RingerServer",
            dependencies: [
                "CounterModel", "CounterStore", "Ringer", "RingerProtocol", "System", "TimerModel",
            ],
            swiftSettings: strict),
        .target(
            name: "Transfer", dependencies: ["CounterModel", "TimerModel", "CounterStore", "System"],
            swiftSettings: strict),
        .target(
            name: "Reports",
            dependencies: [
                "CounterModel", "TimerModel", "CounterStore", "KeyProtocol", "System", "Transfer",
                "VolumeInput",
                "Zones",
            ],
            swiftSettings: strict),
        .target(
            name: "CounterTUI",
            dependencies: ["CNcurses", "CLinux", "System", "CounterModel", "TimerModel", "Reports"],
            swiftSettings: strict),
        .target(
            name: "Counting",
            dependencies: [
                "KeyProtocol", "VolumeInput", "CounterModel", "TimerModel", "CounterStore", "CounterTUI",
                "System",
                "Reports", "Zones", "Transfer", "RingerClient", "RingerProtocol",
            ],
            swiftSettings: strict),
        .target(
            name: "PracticeStore", dependencies: ["CCrypt", "CounterModel", "Practice", "SQL", "System"],
            swiftSettings: strict),
        .target(
            name: "PracticeScreens", dependencies: ["CounterModel", "CounterTUI", "Practice", "System"],
            swiftSettings: strict),
        .executableTarget(
            name: "counter-keys", dependencies: ["KeyServer", "System"], swiftSettings: strict),
        .executableTarget(
            name: "counter-ringer",
            dependencies: [
                "CLinux", "CPulse", "CSystemd", "Ringer", "RingerProtocol", "RingerServer", "System",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "counter",
            dependencies: [
                "KeyProtocol", "VolumeInput", "CounterModel", "TimerModel", "CounterStore", "CounterTUI",
                "System",
                "CLinux",
                "Reports", "Zones", "Transfer", "RingerClient", "RingerProtocol", "Counting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            // A member of a module that a file does not import is an error: TOMLKit imports Foundation, whose tables of languages
            // would be linked for one call of a member that the standard library has too.
            swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        // Learning to press the keys. Nothing else depends on it or on the modules of its name.
        .executableTarget(
            name: "counter-practice",
            dependencies: [
                "KeyProtocol", "Ringer", "VolumeInput", "CounterModel", "CounterTUI", "Practice",
                "PracticeScreens",
                "PracticeStore", "System", "Zones",
            ],
            swiftSettings: strict),
        // For building packages: writes the manual from the help of `counter`.
        .executableTarget(
            name: "counter-manual",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),

        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "CPowerCutRecorder", path: "Tests/PowerCutRecorder", publicHeadersPath: "."),
        .target(
            name: "TestSupport", dependencies: ["CEvdev", "CSQLite", "CTestSupport", "CounterModel"],
            path: "Tests/TestSupport", exclude: ["Days/make-reference.py", "Days/reference.csv", "desktop"],
            swiftSettings: strict),
        .target(
            name: "PracticeTestSupport", dependencies: ["Practice"], path: "Tests/PracticeTestSupport",
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
                "CBenchTwin", "CounterModel", "CounterStore", "CounterTUI", "Reports", "System",
                "TestSupport",
                "VolumeInput",
            ],
            path: "Tests/Bench", exclude: ["run"], swiftSettings: strict),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        // Needs /dev/uinput; on machines without it, it runs in the guest (Tests/Guest).
        .testTarget(
            name: "KernelTests",
            dependencies: ["TestSupport", "CEvdev", "CTestSupport", "KeyProtocol", "KeyServer", "System"],
            swiftSettings: strict),
        .testTarget(
            name: "SystemTests", dependencies: ["System", "CLinux", "TestSupport", "CTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "VolumeInputTests",
            dependencies: [
                "KeyProtocol", "KeyServer", "VolumeInput", "CEvdev", "System", "TestSupport", "CTestSupport",
                "counter-keys",
            ],
            exclude: ["Support/send-packets"], swiftSettings: strict),
        // The real program with sound and speech servers that the tests start.
        .testTarget(
            name: "RingerTests",
            dependencies: [
                "CTestSupport", "CounterModel", "Ringer", "RingerClient", "RingerProtocol", "RingerServer",
                "System", "TestSupport",
            ],
            exclude: ["Support/speech-server"], swiftSettings: strict),
        // The real program in tmux.
        .testTarget(name: "TerminalTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PracticeProgramTests",
            dependencies: [
                "CounterModel", "Practice", "PracticeStore", "PracticeTestSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "SQLTests", dependencies: ["SQL", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CounterModelTests", dependencies: ["CounterModel", "System", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TimerModelTests", dependencies: ["TimerModel", "CounterModel", "System", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PracticeTests",
            dependencies: ["Practice", "PracticeTestSupport", "CounterModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransferTests",
            dependencies: [
                "Transfer", "CounterModel", "CounterStore", "TimerModel", "System", "TestSupport", "Zones",
            ],
            exclude: ["strict-json.py"], swiftSettings: strict),
        .testTarget(
            name: "ZonesTests", dependencies: ["Zones", "CounterModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CounterStoreTests",
            dependencies: [
                "CSQLite", "CounterStore", "CounterModel", "TimerModel", "SQL", "System", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PracticeScreensTests",
            dependencies: [
                "PracticeScreens", "PracticeStore", "Practice", "PracticeTestSupport", "CounterModel",
                "CounterTUI",
                "System", "TestSupport",
            ],
            exclude: ["Golden"], swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Reports", "CounterModel", "CounterStore", "KeyProtocol", "System", "TestSupport",
                "VolumeInput",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CounterTUITests",
            dependencies: [
                "CounterTUI", "CounterModel", "TimerModel", "Reports", "System", "CLinux", "TestSupport",
            ],
            exclude: ["Golden"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Release builds of the tests optimise the tested modules and not the tests themselves, which makes them faster to
// compile.
for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}
