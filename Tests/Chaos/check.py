"""What was made at the doors, held against what is in the log and in the journals."""
import asyncio, collections, csv, io, json, signal

from doors import HTTPDoor, LOCATIONS, PressDoor, TotalDoor
from servers import call, until

# How many differences of a kind are shown.
SHOWN = 8


class Check:
    def __init__(self, run):
        self.run = run
        self.numbered = [door for door in run.doors if isinstance(door, HTTPDoor)]
        self.pressed = [door for door in run.doors if isinstance(door, PressDoor)]
        self.totals = [door for door in run.doors if isinstance(door, TotalDoor)]

    async def all(self):
        for _ in range(2):
            for door in self.run.journals:
                await door.catch_up()
        await self.logs()
        await self.log_holds_all()
        await self.levels()
        await self.journals()
        for hub in self.run.hubs:
            await self.ended(hub)

    def compare(self, what, made, found):
        """Two collections of things that can be compared, each as often as it is there."""
        made, found = collections.Counter(made), collections.Counter(found)
        for words, difference in ((f'{what}: missing', made - found), (f'{what}: nobody has made it, or it is there again', found - made)):
            for thing in sorted(difference, key=str)[:SHOWN]:
                self.run.fail(f'{words}: {self.describe(thing)}')
            if len(difference) > SHOWN:
                self.run.fail(f'{words}: {sum(difference.values()):,} in all')

    def describe(self, thing):
        """With what its door knows of it."""
        door = next((door for door in self.run.doors if door.device == thing[0].split(':')[-1]), None)
        event = next((event for event in door.events if event.number == thing[1] or event.time == thing[1]), None) if door else None
        if not event:
            return str(thing)
        when = 'not acknowledged' if event.acknowledged is None else f'acknowledged at {event.acknowledged:.3f} s'
        return f'{thing}: made at {event.time}, sent {event.sendings} times to {event.hubs}, {when}'

    # MARK: The log

    async def query(self, sql):
        text = await self.run.cluster.primary.query(f'COPY ({sql}) TO STDOUT (FORMAT csv)')
        return list(csv.reader(io.StringIO(text)))

    async def log_holds_all(self):
        rows = await self.query(
            "SELECT device, sequence_number, delta, location_name, to_char(counted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'), "
            "journal FROM counter.entry")
        clocks = {door.device for door in self.numbered if door.has_clock}
        self.compare('in PostgreSQL', (
            (door.device, event.number, event.delta, door.location, event.time or '') for door in self.numbered for event in door.events), (
            (device, int(number), int(delta), location, time if device in clocks else '')
            for device, number, delta, location, time, _ in rows if number))
        self.compare('in PostgreSQL', (
            (f'press:{door.device}', event.time, event.delta, door.location) for door in self.pressed for event in door.events), (
            (device, time, int(delta), location) for device, _, delta, location, time, _ in rows if device.startswith('press:')))
        self.compare('in PostgreSQL', (
            (f'total:{door.device}', event.delta, door.location) for door in self.totals for event in door.events if event.delta), (
            (device, int(delta), location) for device, _, delta, location, _, _ in rows if device.startswith('total:')))
        ids = {await self.journal_id(door): door for door in self.run.journals}
        self.compare('in PostgreSQL', (
            (door.device, delta, door.location) for door in self.run.journals for delta in door.deltas), (
            (ids[journal].device, int(delta), location) for _, _, delta, location, _, journal in rows if journal in ids))
        others = [row for row in rows if not row[1] and row[5] not in ids and row[0].split(':')[0] not in ('press', 'total')]
        self.compare('in PostgreSQL', [], map(tuple, others))
        self.run.found = len(rows)
        twice = await self.query("SELECT count(*) - count(DISTINCT (device, row->'sequenceNumber')) FROM counter.row WHERE row ? 'sequenceNumber'")
        self.run.heard_twice = int(twice[0][0])

    async def journal_id(self, door):
        return next(json.loads(line)['journal'] for line in (await door.counter('journal', '--json')).splitlines()
                    if json.loads(line)['isOwn'])

    async def logs(self):
        """Both hubs come to hold what the log holds."""
        for hub in self.run.hubs:
            said = ''

            async def is_same():
                nonlocal said
                code, said = await call(f'{self.run.programs}/counter-hub', 'log', 'check', hub.log, env=hub.environment)
                return code == 0
            try:
                await until(is_same, 30, f'hub {hub.name} holds what the log holds')
            except Exception as error:
                self.run.fail(f'{error}: {said}')
            self.run.say(f'hub {hub.name}: {said.strip()}')

    # MARK: Figures

    async def levels(self):
        for location in LOCATIONS:
            made = sum(event.delta for door in self.run.doors if door.location == location for event in door.events)
            made += sum(sum(door.deltas) for door in self.run.journals if door.location == location)
            seen = {'PostgreSQL': (await self.query(f"SELECT level FROM counter.level WHERE location_name = '{location}'"))[0][0]}
            for hub in self.run.hubs:
                seen[f'hub {hub.name}'] = await hub.run('counter', 'show', '--location', location)
            for door in self.run.journals if location == 'Hall' else []:
                seen[door.device] = await door.counter('show', '--location', location)
            if set(seen.values()) != {str(made)}:
                self.run.fail(f'the count of {location} is {made}: {seen}')
            self.run.say(f'{location}: {made} at the doors, ' + ', '.join(f'{value} at {name}' for name, value in seen.items()))

    async def journals(self):
        """All entries, row by row, as each hub has them."""
        rows = await self.query(
            "SELECT device, delta, location_name, to_char(counted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM counter.entry")
        names = {}
        for line in (await self.run.hubs[0].run('counter', 'location', 'list', '--json')).splitlines():
            location = json.loads(line)
            names[location['locationId']] = location['name']
        for hub in self.run.hubs:
            lines = (await hub.run('counter', 'export', '--format', 'jsonl')).splitlines()
            entries = [row for row in map(json.loads, lines) if row['type'] in ('in', 'out')]
            self.compare(f'in the journal of hub {hub.name}', map(tuple, rows), (
                (row['deviceId'], str(row['delta']), names[row['locationId']], row['timestamp']) for row in entries))
        for door in self.run.journals:
            await self.verify(door.device, door)

    async def verify(self, name, owner):
        code, said = await call(f'{self.run.programs}/counter', 'verify', env=owner.environment)
        if code != 0:
            self.run.fail(f'counter verify of {name}: {said}')

    async def ended(self, hub):
        code = await hub.program.end(signal.SIGTERM)
        if code != 0:
            self.run.fail(f'hub {hub.name} has ended with {code}')
        await self.verify(f'hub {hub.name}', hub)
        for bad in ('has lost rows', 'another row', 'is not taken', 'is left out', 'Fatal error'):
            for line in hub.program.text().splitlines():
                if bad in line:
                    self.run.fail(f'hub {hub.name} said: {line}')
