import Glibc
import TestSupport
import Testing

/// `POST /v1/devices/…`, by curl: what real counters send.
@Suite final class DeviceTests: HubSuite {
    private func camera(_ people: Int, _ others: Int = 0) -> String {
        """
        {"device_info":{"device_sn":"6384","running_time":141},
         "line_total_data":[{"line_uuid":"9a04","total":{"in_counted":\(people),"out_counted":\(others)}}]}
        """
    }

    private func minute(_ minute: Int, _ people: Int) -> String {
        """
        {"apiName":"Axis Retail Data","sensor":{"serial":"accc8e"},"data":{"measurements":[{"kind":"people-counts",
         "utcFrom":"2026-05-22T08:\(minute):00Z","utcTo":"2026-05-22T08:\(minute + 1):00Z",
         "items":[{"direction":"in","count":\(people)},{"direction":"out","count":0}]}]}}
        """
    }

    /// The rule and the numbers of each item of an answer.
    private func rules(_ answer: TestHub.Answer) -> [String] {
        answer.body.matches(of: /"in":(\d+),"out":(\d+),.*?"rule":"(\w+)"/).map {
            "\($0.3) +\($0.1) -\($0.2)"
        }
    }

    @Test func `A total counts what it grows by, through every restart of the hub`() throws {
        func post(_ people: Int, _ others: Int = 0) throws -> [String] {
            rules(try hub.post(camera(people, others), to: "/v1/devices/milesight"))
        }
        #expect(try post(100) == ["C1 +0 -0"])
        try hub.program.signal(SIGKILL)
        try hub.restart()
        #expect(try post(103, 1) == ["C8 +3 -1"])
        #expect(try post(103, 1) == ["C3 +0 -0"])
        #expect(try post(0) == ["C7 +0 -0"])
        try hub.program.signal(SIGKILL)
        try hub.restart()
        #expect(try post(105, 1) == ["C7 +2 -0"])
        #expect(try hub.count() == "4")
        let rows = try hub.curl("/v1/rows", token: hub.admin).lines
        #expect(rows.count { $0.contains("\"type\":\"reading\"") } == 4)
        #expect(
            rows.count { $0.contains("\"deviceId\":\"milesight:6384/9a04\"") && $0.contains("\"delta\"") }
                == 6)
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `A range of time counts once, whoever sends it again`() throws {
        let first = try hub.post(minute(14, 2), to: "/v1/devices/axis")
        #expect(first.status == 200 && rules(first) == ["I1 +2 -0"])
        #expect(first.body.contains("\"deviceId\":\"axis-3d:accc8e\",\"locationId\":\"Hall\""))
        try hub.restart()
        #expect(rules(try hub.post(minute(14, 2), to: "/v1/devices/axis")) == ["I2 +0 -0"])
        #expect(rules(try hub.post(minute(16, 1), to: "/v1/devices/axis")) == ["I5 +1 -0"])
        #expect(try hub.place.exported().contains { $0.hasPrefix("2026-05-22T08:15:00") })
        #expect(try hub.count() == "3")
    }

    @Test func `The token of a device that knows no better is the end of its path`() throws {
        let body = ["-d", minute(14, 1)]
        #expect(try hub.curl("/v1/devices/axis/\(hub.device)", body).status == 200)
        #expect(try hub.curl("/v1/devices/axis/\(hub.device)/", ["-X", "PUT"] + body).status == 200)
        // Its secret is not to become the name of a device.
        let both = try hub.curl("/v1/devices/xovis/\(hub.device)", token: hub.device, body)
        #expect(try both.status == 400 && !both.body.contains(hub.device))
        #expect(try hub.curl("/v1/devices/axis", ["-u", "camera:\(hub.device)"] + body).status == 200)
        #expect(try hub.curl("/v1/devices/axis", body).status == 401)
        let wrong = try String(hub.device.reversed())
        let refused = try hub.curl("/v1/devices/axis/\(wrong)", body)
        #expect(refused.status == 401 && !refused.body.contains(wrong))
        #expect(try hub.count() == "1")
    }

    @Test func `What no adapter takes is refused for good, and what counts nothing is not`() throws {
        let unknown = try hub.post("{}", to: "/v1/devices/toaster")
        #expect(unknown.status == 404 && unknown.body.contains("no adapter is for /v1/devices/toaster"))
        #expect(try hub.post("nonsense", to: "/v1/devices/axis").status == 400)
        let test = try hub.post("{\"connection_test\":{}}", to: "/v1/devices/xovis/1")
        #expect(test.status == 200 && test.body.contains("a sign of life"))
        #expect(try hub.post("[]", to: "/v1/devices/axis").body == "[]\n")
        let viewer = try hub.token("screen", "--viewer")
        #expect(try hub.post(minute(14, 1), to: "/v1/devices/axis", token: viewer).status == 403)
        let large = String(repeating: " ", count: 5 << 20)
        #expect(try hub.post(large, to: "/v1/devices/axis").status == 413)
        #expect(try hub.count() == "0")
    }

    @Test func `While another program has the journal locked a message waits, but not for long`() throws {
        let hub = try self.hub
        let database = try RawDatabase(hub.place.directory + "/journal.sqlite")
        func request(_ body: String) -> String {
            "POST /v1/devices/axis/\(hub.device) HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        try database.execute("BEGIN IMMEDIATE")
        let client = try hub.connect()
        try client.send(request(minute(10, 2)))
        try eventually("an attempt to store it") { try hub.metric("failed_deliveries_total") ?? 0 > 0 }
        try database.execute("ROLLBACK")
        #expect(try client.readToEnd().status == 200)
        try database.execute("BEGIN IMMEDIATE")
        let refused = try hub.exchange(request(minute(12, 1)))
        #expect(refused.status == 503 && refused.contains("Retry-After"))
        try database.execute("ROLLBACK")
        #expect(try hub.count() == "2")
        #expect(rules(try hub.post(minute(14, 1), to: "/v1/devices/axis")) == ["I5 +1 -0"])
    }

    @Test func `What a camera says beside a picture is found`() throws {
        let folder = try ScratchFolder()
        func post(_ people: Int) throws -> TestHub.Answer {
            let text = """
                <?xml version="1.0"?><EventNotificationAlert xmlns="http://www.isapi.org/ver20/XMLSchema"><macAddress>84:9a</macAddress>
                <channelID>1</channelID><dateTime>2026-08-12T11:50:47-5:00</dateTime><eventType>PeopleCounting</eventType>
                <peopleCounting><statisticalMethods>realTime</statisticalMethods><enter>\(people)</enter><exit>15</exit></peopleCounting>
                </EventNotificationAlert>
                """
            try folder.write("event.xml", text)
            try folder.write("picture.jpg", "\u{1}\u{2}--<{")
            return try hub.curl(
                "/v1/devices/hikvision/\(hub.device)",
                [
                    "-F", "picture=@\(folder.path)/picture.jpg;type=image/jpeg",
                    "-F", "event=@\(folder.path)/event.xml;type=application/xml",
                ])
        }
        #expect(rules(try post(17)) == ["C1 +0 -0"])
        #expect(rules(try post(18)) == ["C8 +1 -0"])
        let empty = try hub.curl(
            "/v1/devices/hikvision", token: hub.device, ["-F", "picture=@\(folder.path)/picture.jpg"])
        #expect(empty.status == 400 && empty.body.contains("none of its parts is XML or JSON"))
    }

    @Test func `A file beside the journal says where devices count, and what is different for them`() throws {
        func write(_ location: String) throws {
            let text = "[device.\"axis-3d:accc8e\"]\nlocation = \"\(location)\"\nswap = true\n"
            try hub.place.write("hub-adapters.toml", Array(text.utf8))
        }
        try write("Cellar")
        try hub.program.signal(SIGHUP)
        #expect(try hub.program.readErrorLine()?.contains("there is no location 'Cellar'") == true)
        #expect(try hub.program.readErrorLine()?.contains("counter location add Cellar") == true)
        #expect(rules(try hub.post(minute(10, 5), to: "/v1/devices/axis")) == ["I1 +5 -0"])
        try write("Hall")
        try hub.restart()
        #expect(rules(try hub.post(minute(14, 2), to: "/v1/devices/axis")) == ["I5 +0 -2"])
        try hub.place.run("location", "add", "Roof")
        let roof = try hub.token("roof", "--device", "--location", "Roof")
        #expect(try hub.post(minute(16, 2), to: "/v1/devices/axis", token: roof).status == 403)
        // What has counted elsewhere is none of its business, though nothing names a location for it.
        _ = try hub.post(camera(7), to: "/v1/devices/milesight")
        let refused = try hub.post(camera(9), to: "/v1/devices/milesight", token: roof)
        #expect(refused.status == 403 && refused.body.contains("counts into 'Hall'"))
        #expect(refused.body.contains("counter device assign milesight:6384/9a04 LOCATION"))
        #expect(try hub.count() == "3")
        try hub.place.run("device", "assign", "milesight:6384/9a04", "Roof")
        try eventually("it is moved") {
            try hub.post(camera(9), to: "/v1/devices/milesight", token: roof).status == 200
        }
        #expect(try hub.place.run("show", "--location", "Roof").output == "2\n")
        let devices = try hub.place.run("devices", "--json").output.split(separator: "\n")
        #expect(devices.contains { $0.contains("axis-3d:accc8e") && $0.contains("\"locationId\":\"Hall\"") })
    }

    @Test func `Local times of a device, and its hours of reset, are of the zone where it counts`() throws {
        let hub = try TestHub(
            files: [
                "hub-adapters.toml": """
                [adapter.door]
                path = "/v1/devices/door/{device}"
                in = "n"
                mode = "cumulative"
                time = "t"
                resets = ["00:00"]
                """
            ])
        try hub.place.run("location", "set", "Hall", "--timezone", "Asia/Shanghai")
        func post(_ people: Int, _ time: String) throws -> TestHub.Answer {
            try hub.post("{\"n\":\(people),\"t\":\"\(time)\"}", to: "/v1/devices/door/a?event=up")
        }
        #expect(rules(try post(500, "2026-05-22T23:58:00")) == ["C1 +0 -0"])
        let reset = try post(2, "2026-05-23T00:05:00")
        #expect(rules(reset) == ["C5 +2 -0"])
        #expect(reset.body.contains("\"timestamp\":\"2026-05-22T16:05:00.000000Z\""))
    }

    @Test func `A device that is disabled counts nothing, and goes on from there`() throws {
        _ = try hub.post(camera(10), to: "/v1/devices/milesight")
        _ = try hub.post(camera(11), to: "/v1/devices/milesight")
        try hub.place.run("device", "disable", "milesight:6384/9a04")
        try hub.restart()
        let disabled = try hub.post(camera(13), to: "/v1/devices/milesight")
        #expect(disabled.body.contains("but the device is disabled") && rules(disabled) == ["C8 +0 -0"])
        try hub.place.run("device", "enable", "milesight:6384/9a04")
        try hub.restart()
        #expect(rules(try hub.post(camera(14), to: "/v1/devices/milesight")) == ["C8 +1 -0"])
        #expect(try hub.count() == "2")
    }
}
