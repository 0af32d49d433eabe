"""What happens to the programs and to the network meanwhile, in an order that the seed says."""
import asyncio, random, signal, types


class Trouble:
    """Each trouble comes once before one comes again. Those of the same program wait for one another."""

    def __init__(self, run):
        self.run, self.random = run, random.Random(f'{run.seed} trouble')
        self.locks = {}
        self.tasks = set()
        self.links = [link for hub in run.hubs for link in hub.links] + [run.broker.to_hub, run.broker.to_doors] + [
            node.link for node in run.cluster.nodes]
        self.kinds = [
            # How often it comes in a round; what happens, to whom, by which signals, and for how many seconds at most.
            (3, self.restart, self.hub, [signal.SIGKILL], 3),
            (1, self.restart, self.hub, [signal.SIGTERM], 2),
            (1, self.restart, self.primary, [signal.SIGKILL], 4),
            # Fast, or immediate, as pg_ctl calls it.
            (1, self.restart, self.primary, [signal.SIGINT, signal.SIGQUIT], 4),
            (1, self.restart, self.standby, [signal.SIGKILL, signal.SIGINT], 4),
            (1, self.restart, self.broker, [signal.SIGKILL], 3),
            (1, self.restart, self.broker, [signal.SIGTERM], 3),
            (2, self.restart, self.sync, [signal.SIGKILL], 2),
            (2, self.stop, self.hub, 8), (1, self.stop, self.primary, 6), (1, self.stop, self.broker, 5),
            (1, self.fail_over), (2, self.cut), (2, self.slow), (2, self.silence), (3, self.break_connections)]

    def say(self, words):
        self.run.say(words)

    async def make(self, until):
        """Makes trouble until a time, and waits until all that was down is up again."""
        order = []
        while self.run.time < until:
            if not order:
                order = [kind for often, *kind in self.kinds for _ in range(often)]
                self.random.shuffle(order)
            happen, *subject = order.pop()
            # Drawn here, so that it is the same whatever takes how long.
            chance = random.Random(self.random.random())
            task = asyncio.ensure_future(happen(chance, *subject))
            self.tasks.add(task)
            task.add_done_callback(self.ended)
            await asyncio.sleep(self.random.expovariate(1 / self.run.pause))
        while self.tasks:
            await asyncio.wait(self.tasks)

    def ended(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.run.give_up(task.exception())

    def lock(self, subject):
        return self.locks.setdefault(subject, asyncio.Lock())

    # MARK: Programs: each is what is locked meanwhile, and what it is then

    def hub(self, chance):
        hub = chance.choice(self.run.hubs)
        return hub, lambda: hub

    def primary(self, _):
        return self.run.cluster, lambda: self.run.cluster.primary

    def standby(self, _):
        return self.run.cluster, lambda: self.run.cluster.standby

    def broker(self, _):
        return self.run.broker, lambda: self.run.broker

    def sync(self, chance):
        program = chance.choice(chance.choice(self.run.journals).syncs)

        async def start():
            program.start()
        return program, lambda: types.SimpleNamespace(program=program, start=start)

    async def restart(self, chance, choose, signals, most):
        """Ends a program, and starts it again, at once or after a pause."""
        (key, now), number, pause = choose(chance), chance.choice(signals), chance.choice((0, chance.uniform(0, most)))
        async with self.lock(key):
            subject = now()
            self.say(f'{number.name} to {subject.program.name}')
            code = await subject.program.end(number)
            if subject in self.run.hubs and number == signal.SIGTERM and code != 0:
                self.run.fail(f'{subject.program.name} has ended with {code} at SIGTERM')
            await asyncio.sleep(pause)
            await subject.start()
            self.say(f'{subject.program.name} is back')

    async def stop(self, chance, choose, most):
        (key, now), seconds = choose(chance), chance.uniform(1, most)
        async with self.lock(key):
            program = now().program
            self.say(f'SIGSTOP to {program.name} for {seconds:.1f} s')
            program.signal_all(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            program.signal_all(signal.SIGCONT)

    async def fail_over(self, chance):
        cluster, number = self.run.cluster, chance.choice((signal.SIGKILL, signal.SIGQUIT, signal.SIGINT))
        way, pause = chance.choice((cluster.rewind, cluster.follow)), chance.uniform(0, 2)
        async with self.lock(cluster):
            self.say(f'failover: {number.name} to {cluster.primary.name}, {cluster.standby.name} takes its place')
            await cluster.primary.program.end(number)
            await asyncio.sleep(pause)
            await cluster.fail_over()
            await way()
            self.say(f'{cluster.standby.name} follows {cluster.primary.name}')

    # MARK: The network

    async def cut(self, chance):
        link, seconds = chance.choice(self.links), chance.uniform(0.5, 5)
        async with self.lock(link):
            self.say(f'no connection from {link.name} for {seconds:.1f} s')
            await link.cut(seconds)

    async def slow(self, chance):
        link, seconds, delay = chance.choice(self.links), chance.uniform(2, 8), chance.uniform(0.02, 0.5)
        async with self.lock(link):
            self.say(f'{1000 * delay:.0f} ms from {link.name} for {seconds:.1f} s')
            await link.slow(seconds, delay)

    async def silence(self, chance):
        link, seconds, ends = chance.choice(self.links), chance.uniform(1, 6), chance.choice((True, False))
        async with self.lock(link):
            self.say(f'silence from {link.name} for {seconds:.1f} s, ' + ('and its connections end' if ends else 'then all comes'))
            await link.silence(seconds, ends)

    async def break_connections(self, chance):
        link, count = chance.choice(self.links), chance.randrange(20_000)
        async with self.lock(link):
            self.say(f'connections from {link.name} break after {count:,} bytes')
            link.break_after(count)
