"""Doors: each counts at random moments, keeps what is not acknowledged, and sends it again, until it is."""
import asyncio, base64, collections, datetime, json, os, random, re, signal, struct

from servers import Failure, Program, call, environment, expect

LOCATIONS = ('Hall', 'North', 'South')
# What ends a connection, or an attempt to make one.
LOST = (OSError, EOFError)


class Refused(Exception):
    """An answer that says that nothing was stored."""


class Event:
    __slots__ = ('number', 'delta', 'time', 'sendings', 'hubs', 'acknowledged')

    def __init__(self, number, delta, time):
        self.number, self.delta, self.time = number, delta, time
        self.sendings = 0
        # To which hubs it was sent.
        self.hubs = ''
        # When, in seconds of the simulation.
        self.acknowledged = None


class Door:
    """What all doors have in common: the events, and those of them that are not acknowledged. `send` is what tells them apart."""

    kind = 'door'
    # A device without a clock is known again by the hub that it has told before.
    has_clock = True
    location = 'South'

    def __init__(self, run, number):
        self.run, self.device = run, f'{self.kind}-{number}'
        self.random = random.Random(f'{run.seed} {self.device}')
        self.events = []
        self.pending = {}
        self.news = asyncio.Event()
        self.hub = self.random.choice(run.hubs)
        # How long it waits for an answer.
        self.patience = self.random.uniform(2, 12)
        self.writer = None

    async def work(self):
        await asyncio.gather(self.count(), self.deliver())

    async def count(self):
        while True:
            await asyncio.sleep(self.random.expovariate(1 / self.run.interval))
            if self.run.is_counting:
                # Several may come at once.
                for _ in range(self.random.choice((1, 1, 1, 1, 2, 5))):
                    self.make()

    def make(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        time = now.strftime('%Y-%m-%dT%H:%M:%S.%fZ') if self.has_clock else None
        event = Event(len(self.events) + 1, self.random.choice((1, 1, -1)), time)
        self.events.append(event)
        self.keep(event)

    def keep(self, event):
        self.pending[event.number] = event
        self.news.set()

    def note_sending(self, event):
        event.sendings += 1
        if self.hub.name not in event.hubs:
            event.hubs += self.hub.name
        if self.run.negative == 'early':
            self.acknowledge(event)

    def acknowledge(self, event):
        if event.acknowledged is None:
            event.acknowledged = self.run.time
        self.pending.pop(event.number, None)
        if not self.pending:
            self.news.clear()

    async def deliver(self):
        while True:
            await self.news.wait()
            try:
                await self.send()
                continue
            except Refused as refused:
                self.run.count_failure(f'refused: {refused}')
            except LOST as error:
                self.run.count_failure(type(error).__name__)
            self.lost()
            await asyncio.sleep(self.random.uniform(0.1, 1.5))
            if self.has_clock and self.random.random() < 0.5:
                self.hub = self.random.choice(self.run.hubs)

    async def send(self):
        """Sends what is not acknowledged, some of it or all."""
        raise NotImplementedError

    def lost(self):
        """The connection has ended, or there was none."""
        self.close()

    async def connect(self, port):
        self.close()
        self.reader, self.writer = await asyncio.open_connection('127.0.0.1', port)

    def put(self, data):
        if self.writer.transport.is_closing():
            raise ConnectionResetError
        self.writer.write(data)

    def close(self):
        if self.writer:
            self.writer.transport.abort()
            self.writer = None

    async def receive(self, coroutine):
        """Waits for something from the other side, which is given up if it does not come in time."""
        timer = asyncio.get_running_loop().call_later(self.patience, self.lose_patience)
        try:
            return await coroutine
        finally:
            timer.cancel()

    def lose_patience(self):
        self.run.count_failure('no answer in time')
        self.writer.transport.abort()


# MARK: HTTP

class HTTPDoor(Door):
    """Speaks HTTP/1.1 with a hub."""

    def line(self, event):
        number = event.number
        if self.run.negative == 'renumbered' and event.sendings:
            number += 1_000_000
        fields = {'delta': event.delta, 'sequenceNumber': number, 'deviceId': self.device, 'timestamp': event.time}
        return json.dumps({name: value for name, value in fields.items() if value is not None})

    def head(self, method, path, *fields):
        fields = [f'{method} {path} HTTP/1.1', f'Host: 127.0.0.1:{self.hub.port}', f'Authorization: Bearer {self.token}', *fields]
        return ('\r\n'.join(fields) + '\r\n\r\n').encode()

    @property
    def token(self):
        return self.run.tokens['door']

    @property
    def path(self):
        return f'/v1/events?location={self.location}'

    async def connect_to_hub(self):
        await self.connect(self.hub.link.port)

    async def read_chunk(self):
        """A chunk of the body; empty at its end."""
        size = int(await self.receive(self.reader.readuntil(b'\r\n')), 16)
        return (await self.receive(self.reader.readexactly(size + 2)))[:-2]

    async def read_lines(self, fields):
        """The lines of the body, as they come."""
        if 'content-length' in fields:
            body = await self.receive(self.reader.readexactly(int(fields['content-length'])))
            for line in body.splitlines():
                yield line
            return
        rest = b''
        while chunk := await self.read_chunk():
            *lines, rest = (rest + chunk).split(b'\n')
            for line in lines:
                yield line
        if rest:
            yield rest

    async def begin_answer(self, good=200):
        """The fields of an answer with a good status."""
        lines = (await self.receive(self.reader.readuntil(b'\r\n\r\n'))).decode().split('\r\n')
        fields = dict(line.lower().split(': ', 1) for line in lines[1:] if line)
        status = int(lines[0].split()[1])
        if status == good:
            return fields
        text = b'\n'.join([line async for line in self.read_lines(fields)]).decode()
        if status not in (408, 429, 503):
            self.run.fail(f'{self.device}: {status} {text}')
        raise Refused(f'{status} {json.loads(text).get("why", "")}')

    def take(self, line, event):
        answer = json.loads(line)
        if answer['result'] not in ('accepted', 'duplicate'):
            self.run.fail(f'{self.device} {event.number}, sent {event.sendings} times to {event.hubs}: {line.decode()}')
        self.run.answers[answer['result']] += 1
        self.acknowledge(event)


class PostDoor(HTTPDoor):
    """One connection and one object for each event, as cheap senders do. It has a token of its own, which says who it is."""

    kind = 'post'
    has_clock = False

    def line(self, event):
        object = json.loads(super().line(event))
        del object['deviceId']
        return json.dumps(object, indent=1)

    @property
    def token(self):
        return self.run.tokens[self.device]

    @property
    def path(self):
        return '/v1/events'

    async def send(self):
        event = next(iter(self.pending.values()))
        body = self.line(event).encode()
        await self.connect_to_hub()
        self.put(self.head('POST', self.path, 'Content-Type: application/json', f'Content-Length: {len(body)}',
                                    'Connection: close') + body)
        self.note_sending(event)
        fields = await self.begin_answer()
        async for line in self.read_lines(fields):
            self.take(line, event)
        self.close()


class LinesDoor(HTTPDoor):
    """Requests of several lines over a connection that stays open."""

    kind = 'lines'
    location = 'Hall'

    async def send(self):
        if not self.writer:
            await self.connect_to_hub()
        events = list(self.pending.values())[:20]
        body = ''.join(self.line(event) + '\n' for event in events).encode()
        self.put(self.head('POST', self.path, f'Content-Length: {len(body)}') + body)
        for event in events:
            self.note_sending(event)
        fields = await self.begin_answer()
        count = 0
        async for line in self.read_lines(fields):
            self.take(line, events[count])
            count += 1
        if count < len(events):
            raise EOFError


class ForgetfulDoor(LinesDoor):
    """One that has no clock."""

    kind = 'clockless'
    location = 'North'
    has_clock = False


class Flow(HTTPDoor):
    """Sends events as they come, while answers come, over one connection."""

    async def send(self):
        await self.open()
        unanswered, last, limit = collections.deque(), 0, self.random.randint(5, 60)
        while limit > 0 or unanswered:
            for event in [event for number, event in self.pending.items() if number > last] if limit > 0 else []:
                self.write(self.line(event))
                self.note_sending(event)
                unanswered.append(event)
                last, limit = event.number, limit - 1
            if unanswered:
                self.take(await self.read_answer(), unanswered.popleft())
            elif limit > 0:
                await self.news.wait()
        await self.finish()


class StreamDoor(Flow):
    """A request whose body does not end for long."""

    kind = 'stream'

    async def open(self):
        await self.connect_to_hub()
        self.put(self.head('POST', self.path, 'Transfer-Encoding: chunked'))
        self.answers = None

    def write(self, line):
        self.put(f'{len(line) + 1:x}\r\n{line}\n\r\n'.encode())

    async def read_answer(self):
        if not self.answers:
            self.answers = self.read_lines(await self.begin_answer())
        try:
            return await self.answers.__anext__()
        except StopAsyncIteration:
            raise EOFError

    async def finish(self):
        self.put(b'0\r\n\r\n')
        async for line in self.answers:
            self.run.fail(f'{self.device}: an answer too many: {line.decode()}')
        self.close()


class SocketDoor(Flow):
    """A WebSocket (RFC 6455)."""

    kind = 'socket'
    TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

    async def open(self):
        await self.connect_to_hub()
        key = base64.b64encode(self.random.randbytes(16)).decode()
        self.put(self.head('GET', self.path.replace('events', 'ws'), 'Connection: Upgrade', 'Upgrade: websocket',
                                    'Sec-WebSocket-Version: 13', f'Sec-WebSocket-Key: {key}'))
        await self.begin_answer(101)

    def write(self, line, opcode=TEXT):
        data = line if isinstance(line, bytes) else line.encode()
        mask = self.random.randbytes(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack('>BH', 0x80 | 126, len(data))
        self.put(bytes([0x80 | opcode]) + size + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    async def read_answer(self):
        while True:
            first, size = await self.receive(self.reader.readexactly(2))
            if size == 126:
                size = struct.unpack('>H', await self.receive(self.reader.readexactly(2)))[0]
            data = await self.receive(self.reader.readexactly(size))
            opcode = first & 15
            if opcode == self.TEXT:
                return data
            if opcode == self.PING:
                self.write(data, self.PONG)
            elif opcode == self.CLOSE:
                raise EOFError

    async def finish(self):
        self.write(struct.pack('>H', 1000), self.CLOSE)
        self.close()


# MARK: MQTT

class MQTTDoor(Door):
    """Publishes with QoS 1 (MQTT 3.1.1). What the broker has acknowledged it may have forgotten when it is killed: that is sent again."""

    location = 'North'
    # In seconds. The broker writes down what it has each two.
    FORGOTTEN = 10
    CONNACK, PUBACK = 2, 4

    def payload(self, event):
        raise NotImplementedError

    def __init__(self, run, number):
        super().__init__(run, number)
        # What was acknowledged, and when.
        self.recent = collections.deque()

    async def send(self):
        await self.connect(self.run.broker.to_doors.port)
        name = self.device.encode()
        self.write(0x10, b'\x00\x04MQTT\x04\x02\x00\x00' + struct.pack('>H', len(name)) + name)
        kind, body = await self.read()
        if kind != self.CONNACK or body[1] != 0:
            raise EOFError
        self.pending = dict(sorted(self.pending.items()))
        sent, last = {}, 0
        while True:
            for event in [event for number, event in self.pending.items() if number > last]:
                sent[self.publish(event)], last = event, event.number
            if not sent:
                await self.idle()
                continue
            kind, body = await self.read()
            if kind == self.PUBACK and (event := sent.pop(struct.unpack('>H', body)[0], None)):
                self.acknowledge(event)
                self.recent.append((self.run.time, event))
                while self.recent[0][0] < self.run.time - self.FORGOTTEN:
                    self.recent.popleft()

    def publish(self, event):
        """Returns the id of the packet."""
        topic, packet = f'chaos/{self.kind}/{self.device}'.encode(), (event.number - 1) % 65_535 + 1
        self.write(0x32, struct.pack('>H', len(topic)) + topic + struct.pack('>H', packet) + self.payload(event).encode())
        self.note_sending(event)
        return packet

    async def idle(self):
        """Waits for an event, or for the end of the connection."""
        waits = [asyncio.ensure_future(each) for each in (self.news.wait(), self.reader.read(1))]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if waits[1].done():
                raise EOFError
        finally:
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    def lost(self):
        super().lost()
        for _, event in self.recent:
            self.keep(event)

    def write(self, head, body):
        size, rest = b'', len(body)
        while True:
            rest, digit = divmod(rest, 128)
            size += bytes([digit | (0x80 if rest else 0)])
            if not rest:
                break
        self.put(bytes([head]) + size + body)

    async def read(self):
        """The type and the body of a packet, of less than 128 bytes."""
        head, size = await self.receive(self.reader.readexactly(2))
        return head >> 4, await self.receive(self.reader.readexactly(size))


class PressDoor(MQTTDoor):
    """Tells each event by a key."""

    kind = 'press'

    def payload(self, event):
        return json.dumps({'delta': event.delta, 'key': f'{self.device}-{event.number}', 'at': event.time})


class TotalDoor(MQTTDoor):
    """Tells how many came and went since its start."""

    kind = 'total'

    def __init__(self, run, number):
        super().__init__(run, number)
        self.totals = []

    def make(self):
        super().make()
        event = self.events[-1]
        came, gone = self.totals[-1] if self.totals else (0, 0)
        self.totals.append((came + (event.delta > 0), gone + (event.delta < 0)))

    def begin(self):
        """The first total is what the others are counted from."""
        super().make()
        self.events[-1].delta = 0
        self.totals.append((0, 0))

    def payload(self, event):
        came, gone = self.totals[event.number - 1]
        return json.dumps({'in': came, 'out': gone, 'at': event.time})


# MARK: Journals

class JournalDoor:
    """A journal of the program `counter`, which is kept the same as those of hubs by `counter sync`."""

    location = 'Hall'

    def __init__(self, run, number):
        self.run, self.device = run, f'journal-{number}'
        self.random = random.Random(f'{run.seed} {self.device}')
        self.folder = f'{run.folder}/{self.device}'
        os.mkdir(self.folder)
        self.environment = dict(environment(self.folder), COUNTER_HUB_TOKEN=run.tokens['journals'])
        self.hubs = (run.hubs[:1], run.hubs[1:], run.hubs)[number % 3]
        self.addresses = [f'http://127.0.0.1:{hub.link.port}' for hub in self.hubs]
        self.syncs = [Program(f'counter sync of {self.device} with hub {hub.name}', [f'{run.programs}/counter', 'sync', address],
                              f'{run.folder}/{self.device}.log', env=self.environment)
                      for hub, address in zip(self.hubs, self.addresses)]
        self.deltas = []

    async def counter(self, *words):
        return (await expect(f'{self.run.programs}/counter', *words, env=self.environment)).strip()

    async def join(self):
        await self.counter('sync', '--join', 'all', self.addresses[0])
        for sync in self.syncs:
            sync.start()

    async def work(self):
        while True:
            await asyncio.sleep(self.random.expovariate(1 / max(2, self.run.interval)))
            if not self.run.is_counting:
                continue
            delta = self.random.choice((1, 1, -1))
            code, output = await call(f'{self.run.programs}/counter', 'add' if delta > 0 else 'sub', '--location', self.location,
                                      env=self.environment)
            if code == 0:
                self.deltas.append(delta)
            else:
                self.run.fail(f'{self.device}: counter add: {code} {output}')

    async def catch_up(self):
        """Ends once it holds what the hubs hold."""
        for sync in self.syncs:
            await sync.end(signal.SIGTERM)
        for address in self.addresses:
            await self.counter('sync', '--once', address)
