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
        .executable(name: "counter-sync", targets: ["counter-sync"]),
        .executable(name: "counter-sync-hub", targets: ["counter-sync-hub"]),
        // Only for the power-cut test, which preloads it into the program.
        .library(name: "PowerCutRecorder", type: .dynamic, targets: ["CPowerCutRecorder"]),
    ],
    dependencies: [
        // Exact versions: a commit that is built again later is the same program.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    ],
    targets: [
        // A target depends only on targets above its own line.
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CLinux"),
        .target(name: "Linux", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "KeyProtocol", dependencies: ["Linux"], swiftSettings: strict),
        .target(
            name: "KeyServer", dependencies: ["CEvdev", "CLinux", "Linux", "KeyProtocol"],
            swiftSettings: strict),
        .target(
            name: "VolumeInput", dependencies: ["CLinux", "Linux", "KeyProtocol"], swiftSettings: strict),
        .target(name: "CounterModel", dependencies: ["Linux"], swiftSettings: strict),
        .target(name: "SQL", dependencies: ["CSQLite", "Linux"], swiftSettings: strict),
        .target(
            name: "CounterStore", dependencies: ["CLinux", "Linux", "CounterModel", "SQL"],
            swiftSettings: strict),
        .target(
            name: "Transfer", dependencies: ["Linux", "CounterModel", "CounterStore"], swiftSettings: strict),
        .target(
            name: "Reports",
            dependencies: [
                "Linux", "KeyProtocol", "VolumeInput", "CounterModel", "CounterStore", "Transfer",
            ], swiftSettings: strict),
        .target(
            name: "CounterTUI",
            dependencies: ["CNcurses", "CLinux", "Linux", "KeyProtocol", "CounterModel", "Reports"],
            swiftSettings: strict),
        .target(name: "Sound", dependencies: ["Linux"], swiftSettings: strict),
        .target(name: "Alarms", dependencies: ["Linux", "Sound", "CounterModel"], swiftSettings: strict),
        .target(
            name: "Counting",
            dependencies: [
                "Linux", "KeyProtocol", "VolumeInput", "CounterModel", "CounterStore", "Transfer", "Reports",
                "CounterTUI", "Alarms",
            ], swiftSettings: strict),
        .target(
            name: "Practice", dependencies: ["CCrypt", "Linux", "CounterModel", "SQL", "CounterTUI"],
            swiftSettings: strict),
        .executableTarget(name: "counter-keys", dependencies: ["Linux", "KeyServer"], swiftSettings: strict),
        .executableTarget(
            name: "counter-ringer",
            dependencies: ["CPulse", "CSystemd", "Linux", "Sound", "CounterModel", "CounterStore", "Alarms"],
            swiftSettings: strict),
        .executableTarget(
            name: "counter",
            dependencies: [
                "CLinux", "Linux", "KeyProtocol", "VolumeInput", "CounterModel", "CounterStore", "Transfer",
                "Reports", "CounterTUI",
                "Sound", "Alarms", "Counting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            // A member of a module that a file does not import is an error: TOMLKit imports Foundation, whose tables of languages
            // would be linked for one call of a member that the standard library has too.
            swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        // Learning to press the keys. It has no part of the counter's journal.
        .executableTarget(
            name: "counter-practice",
            dependencies: [
                "Linux", "KeyProtocol", "VolumeInput", "CounterModel", "CounterTUI", "Sound", "Practice",
            ], swiftSettings: strict),
        // Rows between the journals of two machines.
        .executableTarget(
            name: "counter-sync",
            dependencies: ["Linux", "CounterModel", "CounterStore", "Transfer"],
            swiftSettings: strict),
        // What it reaches a hub with.
        .executableTarget(
            name: "counter-sync-hub", dependencies: ["CCurl", "Linux", "CounterModel"], swiftSettings: strict),
        // For building packages: writes the manual from the help of `counter`.
        .executableTarget(
            name: "counter-manual",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),

        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "CPowerCutRecorder", path: "Tests/PowerCutRecorder", publicHeadersPath: "."),
        .target(
            name: "TestSupport",
            dependencies: ["CEvdev", "CSQLite", "CTestSupport", "CounterModel", "Linux"],
            path: "Tests/TestSupport",
            exclude: ["Days/make-reference.py", "Days/reference.csv", "desktop", "speech-server"],
            swiftSettings: strict),
        .executableTarget(
            name: "counter-demo", dependencies: ["CEvdev", "Linux", "TestSupport"], path: "Tests/Demo",
            exclude: ["run", "tmux.conf"], swiftSettings: strict),
        .target(
            name: "CBenchTwin", dependencies: ["CEvdev"], path: "Tests/BenchTwin",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "counter-bench",
            dependencies: [
                "CBenchTwin", "CounterModel", "CounterStore", "CounterTUI", "Reports", "Linux", "TestSupport",
                "VolumeInput",
            ],
            path: "Tests/Bench", exclude: ["run"], swiftSettings: strict),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        // Needs /dev/uinput; on machines without it, it runs in the guest (Tests/Guest).
        .testTarget(
            name: "KernelTests",
            dependencies: ["TestSupport", "CEvdev", "CTestSupport", "KeyProtocol", "KeyServer", "Linux"],
            swiftSettings: strict),
        .testTarget(
            name: "LinuxTests", dependencies: ["Linux", "CLinux", "TestSupport", "CTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "VolumeInputTests",
            dependencies: [
                "KeyProtocol", "KeyServer", "VolumeInput", "CEvdev", "Linux", "TestSupport", "CTestSupport",
            ],
            exclude: ["Gestures/timing-table.txt", "Support/send-packets"], swiftSettings: strict),
        // The real program with sound and speech servers that the tests start.
        .testTarget(
            name: "AlarmsTests",
            dependencies: ["CounterModel", "Sound", "Alarms", "Linux", "TestSupport"],
            swiftSettings: strict),
        // The real program in tmux.
        .testTarget(name: "TerminalTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PracticeProgramTests", dependencies: ["CounterModel", "Practice", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "SQLTests", dependencies: ["SQL", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CounterModelTests", dependencies: ["CounterModel", "Linux", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PracticeTests",
            dependencies: ["CounterModel", "CounterTUI", "Practice", "TestSupport"],
            exclude: ["Screens/Golden"], swiftSettings: strict),
        .testTarget(
            name: "TransferTests",
            dependencies: ["Transfer", "CounterModel", "CounterStore", "Linux", "TestSupport"],
            exclude: ["strict-json.py", "Version9", "Version10"], swiftSettings: strict),
        .testTarget(
            name: "CounterStoreTests",
            dependencies: ["CSQLite", "CounterStore", "CounterModel", "SQL", "Linux", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Reports", "CounterModel", "CounterStore", "KeyProtocol", "Linux", "TestSupport",
                "VolumeInput",
            ],
            swiftSettings: strict),
        // Session, loop, tabs and frontends with keys that the tests press and terminals that they record.
        .testTarget(
            name: "CountingTests",
            dependencies: [
                "CLinux", "Linux", "KeyProtocol", "VolumeInput", "CounterModel", "CounterStore", "Transfer",
                "Reports", "CounterTUI", "Alarms", "Counting", "TestSupport", "CTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CounterTUITests",
            dependencies: [
                "CounterTUI", "CounterModel", "Reports", "KeyProtocol", "Linux", "CLinux", "TestSupport",
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

// `COUNTER_HUB=1` adds the hub, and with it SwiftNIO and BoringSSL, which take minutes to fetch and to compile.
if Context.environment["COUNTER_HUB"] == "1" {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ]
    package.products.append(.executable(name: "counter-hub", targets: ["counter-hub"]))
    package.targets += [
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .target(
            name: "Adapters",
            dependencies: [
                "CExpat", "Linux", "CounterModel", .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            resources: [.embedInCode("adapters.toml")],
            // As in `counter`, because of TOMLKit; so must be who imports this.
            swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        .target(
            name: "Hub",
            dependencies: [
                "CLinux", "CPQ", "Linux", "CounterModel", "CounterStore", "Transfer", "Reports", "Adapters",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            resources: [
                "Page/index.html", "Page/page.css", "Page/page.js", "Log/schema.sql", "Log/views.sql",
            ].map {
                .embedInCode($0)
            },
            swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        .executableTarget(
            name: "counter-hub",
            dependencies: [
                "Linux", "CounterModel", "CounterStore", "Reports", "Adapters", "Hub",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")]),
        .testTarget(
            name: "AdaptersTests", dependencies: ["Adapters", "CounterModel", "Linux", "TestSupport"],
            exclude: ["cases.txt"], swiftSettings: strict),
        // The real program over real sockets.
        .testTarget(
            name: "HubTests",
            dependencies: ["Hub", "Linux", "TestSupport", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict),
    ]
}

// In release builds these programs contain the Swift runtime, as the installed ones do: a start maps 9 libraries instead
// of 23, which is a third of the kernel suite's time in its emulated guest.
let runtime = [
    "CoreFoundation", "_FoundationICU", "_FoundationCollections", "_FoundationCShims", "dispatch",
    "BlocksRuntime",
    "swiftSynchronization", "stdc++",
]
for target in package.targets
where ["counter", "counter-ringer", "counter-practice", "counter-sync", "counter-sync-hub", "counter-hub"]
    .contains(target.name)
{
    target.linkerSettings = [
        .unsafeFlags(
            ["-static-stdlib"] + runtime.map { "-l\($0)" }, .when(configuration: .release))
    ]
}
