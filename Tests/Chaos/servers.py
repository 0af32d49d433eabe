"""The programs: PostgreSQL with a synchronous standby, a broker, hubs. Each is killed, stopped and started again."""
import asyncio, ctypes, glob, os, pwd, random, shutil, signal, socket, subprocess

from network import Link


def free_port():
    """A port below those of outgoing connections, one of which might take it while its program is away."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as listener:
            try:
                listener.bind(('127.0.0.1', port))
                return port
            except OSError:
                pass


def find(name):
    """Where a program is: Debian has those of PostgreSQL, and mosquitto, where users do not look."""
    places = sorted(glob.glob('/usr/lib/postgresql/*/bin'), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ['PATH'], *places, '/usr/sbin']))
    if not found:
        raise SystemExit(f'there is no {name}\n  To install it: apt install postgresql mosquitto')
    return found


def unprivileged():
    """PostgreSQL refuses to run as root: how it is started by another user then."""
    if os.geteuid() != 0:
        return {}
    for name in ('postgres', 'nobody'):
        try:
            user = pwd.getpwnam(name)
            return {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []}
        except KeyError:
            pass
    raise SystemExit('PostgreSQL does not run as root, and there is no user postgres or nobody')


def give(user, *paths):
    """Gives files to the user as whom a program is started."""
    for path in paths if user else ():
        os.chown(path, user['user'], user['group'])


def ends_with_parent():
    """What runs in a new process before its program: it is killed where this one is."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


async def call(*words, **options):
    """Runs a program to its end. Returns its exit code and what it has written."""
    process = await asyncio.create_subprocess_exec(
        *map(str, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=ends_with_parent, **options)
    output, _ = await process.communicate()
    return process.returncode, output.decode(errors='replace')


async def expect(*words, **options):
    """Runs a program that must succeed, and returns what it has written."""
    code, output = await call(*words, **options)
    if code != 0:
        raise Failure(f'{" ".join(map(str, words))}: {code}\n{output}')
    return output


class Failure(Exception):
    """Something that the simulation needs has not worked."""


async def until(condition, seconds, what):
    """Waits for something to become true."""
    end = asyncio.get_running_loop().time() + seconds
    while not await condition():
        if asyncio.get_running_loop().time() > end:
            raise Failure(f'{what}: not within {seconds} s')
        await asyncio.sleep(0.05)


class Program:
    """A program that runs in the background. What it writes is appended to a file."""

    def __init__(self, name, words, output, **options):
        self.name, self.words, self.output, self.options = name, words, output, options
        self.process = None
        # Whether it is to run: else it was ended here.
        self.is_wanted = False

    def start(self):
        self.is_wanted = True
        with open(self.output, 'ab') as output:
            self.process = subprocess.Popen(
                [str(word) for word in self.words], stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                preexec_fn=ends_with_parent, **self.options)

    @property
    def is_up(self):
        return self.process is not None and self.process.poll() is None

    def pids(self):
        try:
            with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children') as file:
                return [self.process.pid, *map(int, file.read().split())]
        except OSError:
            return []

    def signal_all(self, number):
        """To it and the processes that it has started."""
        for pid in self.pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    async def end(self, number, seconds=20):
        """Ends it by a signal, and returns its exit code; none where it did not end in time."""
        self.is_wanted = False
        if not self.is_up:
            return self.process and self.process.returncode
        self.process.send_signal(number)
        for _ in range(int(seconds / 0.02)):
            if not self.is_up:
                return self.process.returncode
            await asyncio.sleep(0.02)
        self.remove()
        return None

    def remove(self):
        """Ends it and what it has started, whatever they are doing."""
        if self.is_up:
            self.signal_all(signal.SIGKILL)
            self.process.wait()

    def text(self):
        with open(self.output, errors='replace') as file:
            return file.read()


# MARK: PostgreSQL

class Node:
    """One server of the cluster."""

    SETTINGS = '''
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 50
shared_buffers = 32MB
jit = off
hot_standby = on
wal_log_hints = on
wal_keep_size = 1GB
wal_sender_timeout = 5s
wal_receiver_timeout = 5s
wal_retrieve_retry_interval = 300ms
synchronous_standby_names = 'FIRST 1 (alpha, beta)'
'''

    def __init__(self, name, folder, user):
        self.name, self.user, self.folder = name, user, f'{folder}/{name}'
        self.port = free_port()
        # The way that the other one takes to it.
        self.link = Link(f'replication from {name}', self.port, free_port())
        self.program = Program(name, [find('postgres'), '-D', self.folder], f'{folder}/{name}.log', cwd=folder, **user)

    def address(self, database='postgres'):
        return f'host=127.0.0.1 port={self.port} user=postgres dbname={database} connect_timeout=3'

    def configure(self, source=None):
        """Writes its settings: those of a primary, or of a standby of another one."""
        text = f'port = {self.port}\n{self.SETTINGS}'
        if source:
            text += f"primary_conninfo = 'host=127.0.0.1 port={source.link.port} user=postgres application_name={self.name}'\n"
        for name, content in (('postgresql.conf', text), ('postgresql.auto.conf', ''), ('standby.signal', '')):
            path = f'{self.folder}/{name}'
            if name == 'standby.signal' and not source:
                continue
            with open(path, 'w') as file:
                file.write(content)
            give(self.user, path)

    async def query(self, sql, database='counter'):
        return await expect(find('psql'), '-XAtqc', sql, self.address(database))

    async def answers(self):
        return (await call(find('psql'), '-XAtqc', 'SELECT 1', self.address()))[0] == 0

    async def start(self):
        """Starts it, which takes several attempts while processes of a killed one end."""
        async def is_up():
            if not self.program.is_up:
                self.program.start()
                await asyncio.sleep(0.2)
            return await self.answers()
        await until(is_up, 60, f'the start of {self.name}')


class Cluster:
    """A primary and its synchronous standby, which takes its place."""

    def __init__(self, folder):
        self.user = unprivileged()
        self.folder = f'{folder}/postgresql'
        os.mkdir(self.folder)
        give(self.user, self.folder)
        self.nodes = [Node(name, self.folder, self.user) for name in ('alpha', 'beta')]
        self.primary, self.standby = self.nodes

    async def tool(self, name, *words):
        return await expect(find(name), *words, cwd=self.folder, **self.user)

    async def make(self):
        for node in self.nodes:
            await node.link.open()
        await self.tool('initdb', '--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', self.primary.folder)
        self.primary.configure()
        await self.primary.start()
        await self.follow()
        await self.primary.query('CREATE DATABASE counter', 'postgres')

    async def follow(self):
        """Makes the standby from a copy of the primary."""
        shutil.rmtree(self.standby.folder, ignore_errors=True)
        # By the port itself, and by a name that no commit waits for: it is no standby yet.
        await self.tool('pg_basebackup', '--checkpoint=fast', '--no-sync', '-D', self.standby.folder, '-d', self.primary.address())
        self.standby.configure(self.primary)
        await self.standby.start()

    async def rewind(self):
        """Makes the standby of what was the primary before."""
        # pg_rewind looks for the new timeline in the control file, where the next checkpoint puts it.
        await self.primary.query('CHECKPOINT')
        code, _ = await call(find('pg_rewind'), '--no-sync', '-D', self.standby.folder, f'--source-server={self.primary.address()}',
                             cwd=self.folder, **self.user)
        if code != 0:
            return await self.follow()
        self.standby.configure(self.primary)
        await self.standby.start()

    async def fail_over(self):
        """The standby becomes the primary; the other one does not run."""
        self.primary, self.standby = self.standby, self.primary
        await self.primary.query('SELECT pg_promote()', 'postgres')

    def remove(self):
        for node in self.nodes:
            node.program.remove()


# MARK: The broker

class Broker:
    def __init__(self, folder):
        self.user = unprivileged()
        self.folder = f'{folder}/broker'
        os.mkdir(self.folder)
        self.port = free_port()
        self.to_hub = Link('hub to broker', self.port, free_port())
        self.to_doors = Link('doors to broker', self.port, free_port())
        path = f'{self.folder}/mosquitto.conf'
        with open(path, 'w') as file:
            file.write(f'listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location {self.folder}/\n'
                       'autosave_interval 2\nmax_queued_messages 1000000\nmax_inflight_messages 1000\n')
        give(self.user, self.folder, path)
        self.program = Program('the broker', [find('mosquitto'), '-c', path], f'{folder}/mosquitto.log', **self.user)

    async def start(self):
        self.program.start()
        await until(lambda: is_listening(self.port), 20, 'the start of the broker')

    async def publish(self, topic, payload):
        await call('mosquitto_pub', '-p', str(self.port), '-q', '1', '-t', topic, '-m', payload)

    def save(self):
        """Has it write down its sessions."""
        self.program.process.send_signal(signal.SIGUSR1)


async def is_listening(port):
    try:
        _, writer = await asyncio.open_connection('127.0.0.1', port)
    except OSError:
        return False
    writer.close()
    return True


# MARK: Hubs

def environment(folder):
    """Of a user whose home is a folder, with nothing of the one who runs this."""
    return {'PATH': os.environ['PATH'], 'HOME': folder, 'COUNTER_DATA_DIR': folder, 'XDG_CONFIG_HOME': folder, 'XDG_DATA_HOME': folder,
            'XDG_RUNTIME_DIR': folder, 'TZ': 'UTC', 'LC_ALL': 'C.UTF-8'}


class Hub:
    ADAPTERS = '''
[adapter.press]
topic = "chaos/press/{device}"
in = { add = 1, when = { delta = 1 } }
out = { add = 1, when = { delta = -1 } }
mode = "event"
key = "key"
time = "at"

[adapter.total]
topic = "chaos/total/{device}"
in = "in"
out = "out"
mode = "cumulative"
time = "at"
'''

    def __init__(self, name, programs, folder, cluster, broker=None):
        self.name, self.programs, self.folder = name, programs, f'{folder}/hub-{name}'
        os.mkdir(self.folder)
        self.environment = environment(self.folder)
        self.port = free_port()
        self.link = Link(f'doors to hub {name}', self.port, free_port())
        self.to_nodes = [Link(f'hub {name} to {node.name}', node.port, free_port()) for node in cluster.nodes]
        hosts = ','.join(f'127.0.0.1:{link.port}' for link in self.to_nodes)
        self.log = f'postgresql://hub@{hosts}/counter?target_session_attrs=read-write'
        options = []
        if broker:
            with open(f'{self.folder}/hub-adapters.toml', 'w') as file:
                file.write(self.ADAPTERS)
            options = ['--mqtt', f'mqtt://127.0.0.1:{broker.to_hub.port}', '--location', 'North']
        self.program = Program(
            f'hub {name}', [f'{programs}/counter-hub', '--listen', f'127.0.0.1:{self.port}', '--log', self.log, *options],
            f'{folder}/hub-{name}.log', env=self.environment)

    async def run(self, program, *words):
        return (await expect(f'{self.programs}/{program}', *words, env=self.environment)).strip()

    async def add_token(self, *words):
        process = await asyncio.create_subprocess_exec(
            f'{self.programs}/counter-hub', 'token', 'add', *words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output, _ = await process.communicate()
        return output.decode().strip()

    async def start(self):
        self.program.start()
        await until(lambda: is_listening(self.port), 20, f'the start of hub {self.name}')

    @property
    def links(self):
        return [self.link, *self.to_nodes]
