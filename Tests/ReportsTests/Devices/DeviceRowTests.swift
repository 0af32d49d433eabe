import CounterModel
import Linux
import Testing
import VolumeInput

@testable import Reports

/// What `counter devices` prints.
@Suite struct DeviceRowTests {
    private static let seen = Timestamp(seconds: 1_795_262_400)

    private func known(
        _ id: Identifier, isActive: Bool = true, lastSeenAt: Timestamp? = seen, location: Identifier? = nil
    ) -> Device {
        Device(id: id, name: "Known \(id)", locationId: location, lastSeenAt: lastSeenAt, isActive: isActive)
    }

    @Test func `Connected devices come first, then those that the journal knows`() {
        let remote = InputDevice.sample(.exclusive(alsoTakes: false), .shared(.keyboard))
        let rows = DeviceRow.rows(
            [remote],
            [
                known("usb 2", location: "hall"), known("usb 3", isActive: false),
                known("usb 4", lastSeenAt: nil), known("terminal"),
            ], location: "default")
        let seen = Self.seen.localDateAndTime
        #expect(
            DeviceRow.table.text(rows) == [
                "NAME         STATE       LOCATION  ID     CONNECTED SINCE  LAST SEEN         NODES                                KEYS",
                "Remote       shared      default   usb 1  -                -                 /dev/input/event0 /dev/input/event1  up",
                "Known usb 2  away        hall      usb 2  -                \(seen)",
                "Known usb 3  disabled    default   usb 3  -                \(seen)",
                "Known usb 4  never seen  default   usb 4  -                -",
            ])
        #expect(
            DeviceRow.table.json(rows[0])
                == #"{"deviceId":"usb 1","name":"Remote","state":"shared","locationId":"default","isActive":true,"#
                + #""bus":"usb","nodes":["/dev/input/event0","/dev/input/event1"],"keys":["up"],"#
                + #""reason":"/dev/input/event1 is a keyboard, which a grab would silence"}"#)
        #expect(
            DeviceRow.table.json(rows[1])
                == #"{"deviceId":"usb 2","name":"Known usb 2","state":"away","locationId":"hall","isActive":true,"#
                + #""lastSeenAt":"2026-11-21T12:00:00.000000Z","nodes":[],"keys":[]}"#)
        #expect(
            rows.map(\.explanation) == [
                "Remote: /dev/input/event1 is a keyboard, which a grab would silence", nil, nil, nil,
            ])
    }

    @Test func `A device that another program of ours counts needs no explanation`() {
        let device = Device(
            id: "usb 1", name: "Left", locationId: nil, lastSeenAt: Self.seen, isActive: true,
            connection: DeviceConnection(
                since: Self.seen, locationId: "hall", program: "counter listen", isOwn: false))
        let rows = DeviceRow.rows([.sample(.shared(.grabbedElsewhere))], [device], location: "default")
        #expect(rows[0].explanation == nil)
        let time = Self.seen.localDateAndTime
        #expect(
            DeviceRow.table.text(rows)[1]
                == "Left  counted by counter listen  hall      usb 1  \(time)  \(time)  /dev/input/event0  up"
        )
        #expect(
            DeviceRow.table.json(rows[0])
                == #"{"deviceId":"usb 1","name":"Left","state":"shared","locationId":"hall","isActive":true,"#
                + #""countedBy":"counter listen","connectedSince":"2026-11-21T12:00:00.000000Z","#
                + #""lastSeenAt":"2026-11-21T12:00:00.000000Z","bus":"usb","nodes":["/dev/input/event0"],"keys":["up"]}"#
        )
    }

    @Test func `The reason and the remedy of a device that another program has grabbed`() {
        let rows = DeviceRow.rows([.sample(.shared(.grabbedElsewhere))], [], location: "default")
        #expect(
            rows[0].explanation
                == "Remote: /dev/input/event0 is grabbed by another program, so its keys are not received; "
                + "end the other program (keyd, another counter, …)")
    }
}
