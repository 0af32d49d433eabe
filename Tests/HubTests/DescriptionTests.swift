import Glibc
import TestSupport
import Testing

/// docs/openapi.yaml says what the program does.
@Suite final class DescriptionTests: HubSuite {
    /// What the description says of a path.
    private struct Path {
        let name: String
        var methods: [String] = []
        var parameters: Set<String> = []
        var isPublic = false
    }

    /// The paths; the file is written so that lines tell them.
    private func paths() throws -> [Path] {
        let file = #filePath.replacing("Tests/HubTests/DescriptionTests.swift", with: "docs/openapi.yaml")
        let text = try ChildProcess.run(["cat", file]).output
        var paths: [Path] = []
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " }
            let depth = line.count - words.count
            if depth == 0 { if words == "components:" { break } }
            if depth == 2, words.hasPrefix("/") { paths.append(Path(name: String(words.dropLast()))) }
            guard !paths.isEmpty else { continue }
            let last = paths.count - 1
            if depth == 4 { paths[last].methods.append(words.dropLast().uppercased()) }
            if let name = words.split(separator: "parameters/").last, words.contains("parameters/") {
                paths[last].parameters.insert(String(name.dropLast()))
            }
            if words.hasPrefix("- name: "), !words.contains("Last-Event-ID"), words != "- name: device" {
                paths[last].parameters.insert(String(words.dropFirst(8)))
            }
            if words == "security: []" { paths[last].isPublic = true }
        }
        return paths
    }

    @Test func `Its paths, methods and parameters are those of the program`() throws {
        let paths = try paths()
        let remedy = try hub.curl("/none").body
        #expect(
            remedy.contains(
                "The paths are \(paths.map { $0.name.replacing("{device}", with: "") }.joined(separator: ", "))."
            ))
        for path in paths {
            let others = Set(["GET", "POST", "PUT", "DELETE", "PATCH"]).subtracting(path.methods)
            for method in others {
                #expect(
                    try hub.curl(path.name, token: hub.admin, ["-X", method]).status == 405,
                    "\(method) \(path.name)")
            }
            #expect(
                (try hub.curl(path.name, ["-X", path.methods[0]]).status == 401) != path.isPublic,
                "\(path.name)")
            // Devices add parameters of their own.
            if path.name.hasPrefix("/v1/devices/") { continue }
            let unknown = try hub.curl("\(path.name)?nonsense=1", token: hub.admin, ["-X", path.methods[0]])
            #expect(unknown.status == 400)
            let list = path.parameters.sorted().joined(separator: ", ")
            #expect(
                unknown.body.contains(list.isEmpty ? "Leave it out." : "There are \(list)."), "\(path.name)")
        }
    }
}
