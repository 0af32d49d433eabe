"""The hub beside programs that everybody knows, in one table: what each answers a second, and after how long, while 1 and while 16
connections ask."""
import asyncio, os, re, shutil, socket, subprocess, time

import websockets

from hub import Hub, call, event, place, say, start, start_nginx, wait
from load import wrk
from servers import find, free_port, give, unprivileged

SECONDS = 5


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(('127.0.0.1', port)) == 0


def wait_for(port):
    if not wait(lambda: listens(port)):
        raise SystemExit(f'nothing listens at {port}')


def folder(name):
    path = f'{place}/beside-{name}'
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def parts_of(times):
    times.sort()
    return tuple(times[int(len(times) * part)] for part in (0.5, 0.99))


async def messages(hub, connections):
    """A message of a WebSocket after the answer to the one before, as `wrk` does it."""
    end, times = time.monotonic() + SECONDS, []

    async def ask():
        async with websockets.connect(hub.url.replace('http', 'ws') + '/v1/ws', compression=None,
                                      additional_headers={'Authorization': f'Bearer {hub.door}'}) as client:
            while (begin := time.monotonic()) < end:
                await client.send(event())
                await client.recv()
                times.append(1_000 * (time.monotonic() - begin))

    await asyncio.gather(*(ask() for _ in range(connections)))
    return len(times) / SECONDS, *parts_of(times)


class Database:
    """PostgreSQL with its defaults: a commit is on the disk before it is answered."""

    def __init__(self):
        path, self.port, user = folder('postgresql'), free_port(), unprivileged()
        give(user, path)
        data = f'{path}/data'
        call(find('initdb'), '-D', data, '-A', 'trust', '-U', 'counter', '-E', 'UTF8', '--locale=C', check=True, **user)
        start(find('postgres'), '-D', data, '-p', str(self.port), '-k', path,
              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **user)
        self.url = f'postgresql://counter@127.0.0.1:{self.port}/postgres'
        self.client = ['-h', '127.0.0.1', '-p', str(self.port), '-U', 'counter', 'postgres']
        if not wait(lambda: call('psql', '-qc', 'SELECT', *self.client).returncode == 0):
            raise SystemExit('PostgreSQL does not answer')
        table = ('CREATE TABLE public.entry (position bigserial PRIMARY KEY, location text NOT NULL, device text NOT NULL, '
                 'delta smallint NOT NULL, counted_at timestamptz NOT NULL DEFAULT now())')
        call('psql', '-q', '-c', table, *self.client, check=True)

    def inserts(self, connections, rows):
        path = f'{place}/beside.sql'
        with open(path, 'w') as file:
            file.write("INSERT INTO public.entry (location, device, delta) "
                       f"SELECT 'Hall', 'door-1', 1 FROM generate_series(1, {rows});\n")
        log = folder('pgbench')
        output = call('pgbench', '-n', '-M', 'prepared', '-f', path, '-c', str(connections), '-j', '1', '-T', str(SECONDS), '-l',
                      f'--log-prefix={log}/log', *self.client).stdout
        if 'tps' not in output:
            raise SystemExit(f'pgbench: {output}')
        # The third field is the time of one transaction, in microseconds.
        times = [int(line.split()[2]) / 1_000 for name in os.listdir(log) for line in open(f'{log}/{name}')]
        return float(re.search(r'tps = (\S+)', output)[1]), *parts_of(times)


def publishes(port, connections):
    """mosquitto_pub, acknowledged (QoS 1): messages a second."""
    number = 40_000 // connections
    begin = time.monotonic()
    clients = [subprocess.Popen(['mosquitto_pub', '-p', str(port), '-q', '1', '-t', f'door/{index}', '-l'], stdin=subprocess.PIPE)
               for index in range(connections)]
    for client in clients:
        client.stdin.write(b'{"delta":1}\n' * number)
        client.stdin.close()
    for client in clients:
        client.wait()
    return (number * connections / (time.monotonic() - begin),)


def beside():
    """One table; nothing is compared with a limit."""
    hub = Hub('beside', '--lines-per-second', '0')
    database = Database()
    hub.run('counter-hub', 'log', 'init', database.url)
    logged = Hub('logged', '--lines-per-second', '0', '--log', database.url)
    broker, web = free_port(), free_port()
    start('mosquitto', '-p', str(broker), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = folder('nginx')
    call('curl', '-s', '-o', f'{path}/page.html', hub.url + '/', check=True)
    start_nginx(path, f'access_log off; server {{ listen 127.0.0.1:{web}; root {path}; }}\n')
    for port in (broker, web):
        wait_for(port)
    events, logged_events = hub.url + '/v1/events', logged.url + '/v1/events'
    rows = (
        ('hub: POST of 1 event', 1, lambda count: wrk(events, count, SECONDS, hub.door, 1)),
        ('hub with the log in PostgreSQL: POST of 1 event', 1,
         lambda count: wrk(logged_events, count, SECONDS, logged.door, 1)),
        ('hub: message of 1 event over a WebSocket', 1, lambda count: asyncio.run(messages(hub, count))),
        ('PostgreSQL, pgbench: INSERT of 1 row', 1, lambda count: database.inserts(count, 1)),
        ('hub: POST of 100 events', 100, lambda count: wrk(events, count, SECONDS, hub.door, 100)),
        ('hub with the log in PostgreSQL: POST of 100 events', 100,
         lambda count: wrk(logged_events, count, SECONDS, logged.door, 100)),
        ('PostgreSQL, pgbench: INSERT of 100 rows', 100, lambda count: database.inserts(count, 100)),
        ('hub: GET of the status', 0, lambda count: wrk(hub.url + '/v1/status', count, SECONDS, hub.admin)),
        ('mosquitto: PUBLISH, QoS 1, in memory', 1, lambda count: publishes(broker, count)),
        ('hub: GET of the page', 0, lambda count: wrk(hub.url + '/', count, SECONDS)),
        ('nginx: GET of the same file', 0, lambda count: wrk(f'http://127.0.0.1:{web}/page.html', count, SECONDS)),
    )
    table = ['| answers a second; p50, p99 in ms | 1 connection | 16 connections |', '|---|---|---|']
    for name, size, ask in rows:
        texts = []
        for count in (1, 16):
            rate, *times = ask(count)
            texts.append(f'{rate:,.0f}' + (f' = {rate * size:,.0f} rows' if size > 1 else '')
                         + (f"; {', '.join(f'{time:.3g}' for time in times)}" if times else ''))
        table.append(f'| {name} | ' + ' | '.join(texts) + ' |')
    for line in table:
        say(line)
    say(f'the hub has {hub.memory():.1f} MB at the end, and has counted {hub.count():,}')
    say(f'the hub with the log has {logged.memory():.1f} MB at the end, and has counted {logged.count():,}; '
        + call('psql', '-Atc', 'SELECT count(*), pg_total_relation_size($$counter.row$$) / count(*) FROM counter.row',
               *database.client).stdout.strip().replace('|', ' rows are in the log, of so many bytes: '))
    hub.stop()
    logged.stop()
