"""What happens to the programs and to the network meanwhile, in an order that the seed says."""
import asyncio, random, signal


class Trouble:
    """Each trouble comes once before one comes again. Those of the same program wait for one another."""

    def __init__(self, run):
        self.run, self.random = run, random.Random(f'{run.seed} trouble')
        self.locks = {}
        self.tasks = set()
        self.links = [link for hub in run.hubs for link in hub.links] + [run.broker.to_hub, run.broker.to_doors] + [
            node.link for node in run.cluster.nodes]
        self.kinds = [
            (self.kill_hub, 3), (self.end_hub, 1), (self.stop_hub, 2), (self.kill_primary, 1), (self.end_primary, 1), (self.stop_primary, 1),
            (self.kill_standby, 1), (self.fail_over, 1), (self.kill_broker, 1), (self.end_broker, 1), (self.stop_broker, 1), (self.kill_sync, 2),
            (self.cut, 2), (self.slow, 2), (self.silence, 2), (self.break_connections, 3)]

    def say(self, words):
        self.run.say(words)

    async def make(self, until):
        """Makes trouble until a time, and waits until all that was down is up again."""
        order = []
        while self.run.time < until:
            if not order:
                order = [kind for kind, often in self.kinds for _ in range(often)]
                self.random.shuffle(order)
            kind = order.pop()
            # Drawn here, so that it is the same whatever takes how long.
            chance = random.Random(self.random.random())
            task = asyncio.ensure_future(kind(chance))
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

    # MARK: Hubs

    async def kill_hub(self, chance):
        hub, pause = chance.choice(self.run.hubs), chance.choice((0, 0.5, 3))
        async with self.lock(hub):
            self.say(f'kill -9 hub {hub.name}')
            await hub.program.end(signal.SIGKILL)
            await asyncio.sleep(pause)
            await hub.start()

    async def end_hub(self, chance):
        hub, pause = chance.choice(self.run.hubs), chance.uniform(0, 2)
        async with self.lock(hub):
            self.say(f'SIGTERM to hub {hub.name}')
            code = await hub.program.end(signal.SIGTERM)
            if code != 0:
                self.run.fail(f'hub {hub.name} has ended with {code} at SIGTERM')
            await asyncio.sleep(pause)
            await hub.start()

    async def stop_hub(self, chance):
        hub, seconds = chance.choice(self.run.hubs), chance.uniform(1, 8)
        async with self.lock(hub):
            await self.stop(hub.program, seconds)

    async def stop(self, program, seconds):
        self.say(f'SIGSTOP to {program.name} for {seconds:.1f} s')
        program.signal_all(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        program.signal_all(signal.SIGCONT)

    # MARK: PostgreSQL

    async def kill_primary(self, chance):
        await self.restart(lambda cluster: cluster.primary, signal.SIGKILL, chance)

    async def kill_standby(self, chance):
        await self.restart(lambda cluster: cluster.standby, chance.choice((signal.SIGKILL, signal.SIGINT)), chance)

    async def end_primary(self, chance):
        """Fast, or immediate, as pg_ctl calls it."""
        await self.restart(lambda cluster: cluster.primary, chance.choice((signal.SIGINT, signal.SIGQUIT)), chance)

    async def restart(self, choose, number, chance):
        pause = chance.choice((0, 1, 4))
        async with self.lock(self.run.cluster):
            node = choose(self.run.cluster)
            role = 'primary' if node is self.run.cluster.primary else 'standby'
            self.say(f'{number.name} to the {role} {node.name}')
            await node.program.end(number)
            await asyncio.sleep(pause)
            await node.start()
            self.say(f'{node.name} is back')

    async def stop_primary(self, chance):
        async with self.lock(self.run.cluster):
            await self.stop(self.run.cluster.primary.program, chance.uniform(1, 6))

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

    # MARK: The broker

    async def kill_broker(self, chance):
        await self.restart_broker(signal.SIGKILL, chance)

    async def end_broker(self, chance):
        await self.restart_broker(signal.SIGTERM, chance)

    async def restart_broker(self, number, chance):
        broker, pause = self.run.broker, chance.uniform(0, 3)
        async with self.lock(broker):
            self.say(f'{number.name} to the broker')
            await broker.program.end(number)
            await asyncio.sleep(pause)
            await broker.start()

    async def stop_broker(self, chance):
        async with self.lock(self.run.broker):
            await self.stop(self.run.broker.program, chance.uniform(1, 5))

    async def kill_sync(self, chance):
        door = chance.choice(self.run.journals)
        sync, pause = chance.choice(door.syncs), chance.uniform(0, 2)
        async with self.lock(sync):
            self.say(f'kill -9 {sync.name}')
            await sync.end(signal.SIGKILL)
            await asyncio.sleep(pause)
            sync.start()

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
