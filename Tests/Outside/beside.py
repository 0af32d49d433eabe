"""The hub beside programs that everybody knows, in one table: what each answers a second, while 1 and while 16 connections ask."""
import glob, os, re, shutil, socket, subprocess, time

from hub import Hub, call, expect, free_port, place, say, start, start_nginx, wait
from load import SCRIPT

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


def wrk(url, connections, script='', token=None):
    """Answers a second."""
    path = f'{place}/beside.lua'
    with open(path, 'w') as file:
        file.write(script)
    header = ['-H', f'Authorization: Bearer {token}'] if token else []
    output = call('wrk', '-t1', f'-c{connections}', f'-d{SECONDS}s', '-s', path, *header, url).stdout
    expect(f'{url}, {connections}: no error', 'Non-2xx' not in output and 'Socket errors' not in output)
    return float(re.search(r'Requests/sec:\s+(\S+)', output)[1])


class Database:
    """PostgreSQL with its defaults: a commit is on the disk before it is answered."""

    def __init__(self):
        self.path, self.port = folder('postgresql'), free_port()
        programs = glob.glob('/usr/lib/postgresql/*/bin')
        if not programs:
            raise SystemExit('PostgreSQL is not installed: sudo apt install postgresql')
        self.programs = max(programs)
        # It does not run as root.
        self.user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] if os.geteuid() == 0 else []
        if self.user:
            os.chown(self.path, 65534, 65534)
        data = f'{self.path}/data'
        call(*self.user, f'{self.programs}/initdb', '-D', data, '-A', 'trust', '-U', 'counter', check=True)
        self.process = start(*self.user, f'{self.programs}/postgres', '-D', data, '-p', str(self.port), '-k', self.path,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.port)
        self.client = ['-h', '127.0.0.1', '-p', str(self.port), '-U', 'counter', 'postgres']
        table = ('CREATE TABLE entry (position bigserial PRIMARY KEY, location text NOT NULL, device text NOT NULL, '
                 'delta smallint NOT NULL, counted_at timestamptz NOT NULL DEFAULT now())')
        call('psql', '-q', '-c', table, *self.client, check=True)

    def inserts(self, connections, rows):
        path = f'{place}/beside.sql'
        with open(path, 'w') as file:
            file.write("INSERT INTO entry (location, device, delta) "
                       f"SELECT 'Hall', 'door-1', 1 FROM generate_series(1, {rows});\n")
        output = call('pgbench', '-n', '-M', 'prepared', '-f', path, '-c', str(connections), '-j', '1', '-T', str(SECONDS),
                      *self.client).stdout
        return float(re.search(r'tps = (\S+)', output)[1])


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
    return number * connections / (time.monotonic() - begin)


def beside():
    """One table; nothing is compared with a limit."""
    hub = Hub('beside', '--lines-per-second', '0')
    database = Database()
    broker, web = free_port(), free_port()
    start('mosquitto', '-p', str(broker), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = folder('nginx')
    call('curl', '-s', '-o', f'{path}/page.html', hub.url + '/', check=True)
    start_nginx(path, f'access_log off; server {{ listen 127.0.0.1:{web}; root {path}; }}\n')
    for port in (broker, web):
        wait_for(port)
    events = hub.url + '/v1/events'
    rows = (
        ('hub: POST of 1 event', 1, lambda count: wrk(events, count, SCRIPT % 1, hub.door)),
        ('PostgreSQL, pgbench: INSERT of 1 row', 1, lambda count: database.inserts(count, 1)),
        ('hub: POST of 100 events', 100, lambda count: wrk(events, count, SCRIPT % 100, hub.door)),
        ('PostgreSQL, pgbench: INSERT of 100 rows', 100, lambda count: database.inserts(count, 100)),
        ('mosquitto: PUBLISH, QoS 1, in memory', 1, lambda count: publishes(broker, count)),
        ('hub: GET of the page', 0, lambda count: wrk(hub.url + '/', count)),
        ('nginx: GET of the same file', 0, lambda count: wrk(f'http://127.0.0.1:{web}/page.html', count)),
    )
    table = ['| answers a second | 1 connection | 16 connections |', '|---|---|---|']
    for name, size, rate in rows:
        cells = [rate(count) for count in (1, 16)]
        texts = [f'{cell:,.0f}' + (f' = {cell * size:,.0f} rows' if size > 1 else '') for cell in cells]
        table.append(f'| {name} | ' + ' | '.join(texts) + ' |')
    for line in table:
        say(line)
    say(f'the hub has {hub.memory():.1f} MB at the end, and has counted {hub.count():,}')
    hub.stop()
