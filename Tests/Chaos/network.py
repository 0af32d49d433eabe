"""A network that is slow, cut or silent, as links between programs and the ports of others."""
import asyncio, collections, socket


class Link:
    """Listens at `port`, and passes on to the port `target` of this machine what comes there, and back, unless it is disturbed."""

    def __init__(self, name, target, port):
        self.name, self.target, self.port = name, target, port
        self.ends = set()
        self.delay = 0
        self.is_cut = self.is_silent = False
        # How many bytes pass before all connections break; none: any number.
        self.left = None

    async def open(self):
        self.server = await asyncio.get_running_loop().create_server(lambda: Near(self), '127.0.0.1', self.port, backlog=1024)

    def close(self):
        self.server.close()
        self.reset()

    def reset(self):
        """Ends all connections."""
        for end in list(self.ends):
            end.transport.abort()

    async def cut(self, seconds):
        """All connections end, and none is made."""
        self.is_cut = True
        self.reset()
        await asyncio.sleep(seconds)
        self.is_cut = False

    async def slow(self, seconds, delay):
        """What is sent comes later."""
        self.delay = delay
        await asyncio.sleep(seconds)
        self.delay = 0

    async def silence(self, seconds, ends):
        """Nothing comes through, and nobody is told. Then all connections end, or all comes."""
        self.is_silent = True
        await asyncio.sleep(seconds)
        self.is_silent = False
        if ends:
            self.reset()
        for end in self.ends:
            end.pass_on()

    def break_after(self, count):
        """All connections end after so many further bytes: in the middle of a request, or of its answer."""
        self.left = count


class End(asyncio.Protocol):
    """One end of a connection through a link: what comes here goes out at the other one."""

    def __init__(self, link):
        self.link, self.loop = link, asyncio.get_running_loop()
        self.other = self.transport = None
        # What waits to go out at the other end, with the time when it may; none for the end of what is sent.
        self.queue = collections.deque()

    def connection_made(self, transport):
        self.transport = transport
        transport.get_extra_info('socket').setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.link.ends.add(self)

    def connection_lost(self, _):
        self.link.ends.discard(self)
        if self.other:
            self.other.transport.abort()

    def data_received(self, data):
        self.enqueue(data)

    def eof_received(self):
        self.enqueue(None)
        return True

    def enqueue(self, data):
        self.queue.append((self.loop.time() + self.link.delay, data))
        if len(self.queue) == 1 or not self.link.delay:
            self.pass_on()

    def pass_on(self):
        if not self.other or self.link.is_silent or self.other.transport.is_closing():
            return
        while self.queue and self.queue[0][0] <= self.loop.time() and not self.other.transport.is_closing():
            _, data = self.queue.popleft()
            self.write(data)
        if self.queue:
            self.loop.call_at(self.queue[0][0], self.pass_on)

    def write(self, data):
        link, out = self.link, self.other.transport
        if data is None:
            try:
                out.write_eof()
            except OSError:
                out.abort()
        elif link.left is None:
            out.write(data)
        else:
            out.write(data[:link.left])
            link.left -= len(data)
            if link.left <= 0:
                link.left = None
                link.reset()

    def pause_writing(self):
        self.other.transport.pause_reading()

    def resume_writing(self):
        self.other.transport.resume_reading()


class Near(End):
    """The end at the program that has made the connection."""

    def connection_made(self, transport):
        super().connection_made(transport)
        self.connecting = self.loop.create_task(self.connect())
        if self.link.is_cut:
            transport.abort()

    def connection_lost(self, error):
        super().connection_lost(error)
        if not self.other:
            self.connecting.cancel()

    async def connect(self):
        try:
            _, far = await self.loop.create_connection(lambda: End(self.link), '127.0.0.1', self.link.target)
        except OSError:
            return self.transport.abort()
        if self.transport.is_closing():
            return far.transport.abort()
        self.other, far.other = far, self
        self.pass_on()
        far.pass_on()
