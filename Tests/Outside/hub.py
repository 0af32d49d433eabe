"""A hub to be looked at from outside, and what was seen of it."""
import atexit, json, os, re, shutil, signal, subprocess, sys, time

programs = os.path.abspath(sys.argv[1])
place = os.path.abspath(sys.argv[2])
failures = []


def expect(what, is_so, seen=''):
    print('ok  ' if is_so else 'FAIL', what, seen, flush=True)
    if not is_so:
        failures.append(what)


def say(*words):
    print('    ', *words, flush=True)


def call(*words, **options):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def start(*words, **options):
    """A program in the background, which does not outlive this one."""
    process = subprocess.Popen(words, **options)
    atexit.register(process.terminate)
    return process


def start_nginx(folder, http):
    """nginx with the text of its http block."""
    kinds = ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi')
    paths = ''.join(f'{kind}_temp_path {folder}/{kind};\n' for kind in kinds)
    with open(folder + '/nginx.conf', 'w') as file:
        file.write(f'daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\nhttp {{\n{paths}{http}}}\n')
    return start('nginx', '-e', folder + '/error.log', '-c', folder + '/nginx.conf')


class Hub:
    """A running hub with an empty journal, and tokens `admin` and `door`, which counts into Hall."""

    def __init__(self, name, *options, tls=False):
        self.folder = f'{place}/{name}'
        shutil.rmtree(self.folder, ignore_errors=True)
        self.environment = dict(os.environ, HOME=self.folder, COUNTER_DATA_DIR=self.folder)
        self.admin = self.run('counter-hub', 'token', 'add', 'admin', '--admin')
        self.door = self.run('counter-hub', 'token', 'add', 'door', '--door', '--location', 'Hall')
        self.certificate = self.folder + '/hub-certificate.pem'
        if tls:
            self.run('counter-hub', 'certificate', 'localhost', '127.0.0.1')
            options += ('--tls-certificate', self.certificate, '--tls-key', self.folder + '/hub-key.pem')
        self.options, self.port, self.is_tls = options, 0, tls
        self.start()

    def start(self):
        """Starts it, or starts it again at the same port."""
        self.process = start(f'{programs}/counter-hub', '--listen', f'127.0.0.1:{self.port}', *self.options,
                             env=self.environment, text=True, stderr=subprocess.PIPE)
        line = self.process.stderr.readline()
        found = re.search(r'listening at (https?://127\.0\.0\.1:(\d+))', line)
        if not found:
            sys.exit(f'counter-hub does not listen: {line}')
        self.url, self.port = found[1], int(found[2])

    def run(self, program, *words, **options):
        return subprocess.run([f'{programs}/{program}', *words], env=self.environment, text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options).stdout.strip()

    def count(self):
        return int(self.run('counter', 'show', '--location', 'Hall'))

    def memory(self, field='VmRSS'):
        """The memory of the process in MB; VmHWM is the most that it has had."""
        with open(f'/proc/{self.process.pid}/status') as file:
            return int(re.search(field + r':\s+(\d+)', file.read())[1]) / 1024

    def metric(self, name):
        text = call('curl', '-sk', '-u', f'x:{self.admin}', self.url + '/metrics').stdout
        return sum(float(value) for value in re.findall(rf'^{name}(?:{{.*}})? (\S+)$', text, re.M))

    def stop(self):
        """Ends it; it must have lived until then, and end well."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = 'none'
        expect('the hub has ended as it should', code == 0, code if code else '')
        expect('counter verify', call(f'{programs}/counter', 'verify', env=self.environment).returncode == 0)


def hubs(name, *options):
    """A hub without TLS, and then one with it, each with what it is called. It is stopped when it is done with."""
    for tls in (False, True):
        hub = Hub(name, *options, tls=tls)
        yield hub, 'TLS' if tls else 'plain'
        hub.stop()


def event(**fields):
    return json.dumps(dict(delta=1, deviceId='door-1', **fields))


def percentiles(times):
    """In milliseconds."""
    times = sorted(times)
    return ', '.join(f'{name} {1000 * times[min(len(times) - 1, int(len(times) * part))]:.1f}'
                     for name, part in (('p50', .5), ('p95', .95), ('p99', .99), ('max', 1)))


def wait(condition, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
