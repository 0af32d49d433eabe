"""The tests that others have written, and their clients and proxies, against a hub.
Arguments: the folder of the programs, a folder of our own, and the parts, such as clients; without them all."""
import asyncio, json, os, re, select, socket, ssl, subprocess, sys, time

import requests, websockets

from hub import Hub, call, event, expect, failures, hubs, place, say, start, start_nginx, wait
from servers import free_port
import beside, load

here = os.path.dirname(os.path.abspath(__file__))
python = os.path.dirname(sys.executable)


def openapi():
    """schemathesis: requests made from docs/openapi.yaml, good and bad ones; answers as it says."""
    hub = Hub('openapi', '--lines-per-second', '0')
    words = [f'{python}/schemathesis', '--config-file', f'{here}/schemathesis.toml', 'run', 'docs/openapi.yaml', '--url', hub.url,
             '-H', f'Authorization: Bearer {hub.admin}', '--no-color', '--warnings', 'off', '--generation-database', 'none']
    # The hub slows down who tries wrong tokens, so that check is made by itself, slowly.
    for what, options in (('all checks but ignored_auth', ['--exclude-checks', 'ignored_auth', '-n', '200']),
                          ('ignored_auth', ['--checks', 'ignored_auth', '--phases', 'fuzzing', '-n', '1', '--rate-limit', '4/s'])):
        result = call(*words, *options)
        found = re.search(r'\d+ generated.*', result.stdout)
        expect(f'schemathesis: {what}', result.returncode == 0, found[0] if found else '')
        if result.returncode:
            print(result.stdout)
    hub.stop()


def autobahn():
    """The Autobahn test suite; see suite.py."""
    two = os.environ.get('PYTHON2')
    if not two:
        return say('the Autobahn test suite needs Python 2.7, which is not here; it is left out')
    hub = Hub('autobahn', '--lines-per-second', '0')
    result = subprocess.run([two, '-B', f'{here}/suite.py', f'{place}/wstest', f'ws://127.0.0.1:{hub.port}/t/{hub.door}/v1/ws',
                             f'{place}/autobahn-reports'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    print(result.stderr, end='')
    expect('the Autobahn test suite', result.returncode == 0)
    expect('memory is bounded', hub.memory('VmHWM') < 100, f'{hub.memory("VmHWM"):.0f} MB at most')
    hub.stop()


# MARK: Clients

async def socket_counts(address, tls=None, **options):
    """An event by a WebSocket, whole, one in frames of a byte, and ten with a close behind each at once."""
    async with websockets.connect(address, ssl=tls, **options) as client:
        await client.send(event())
        whole = json.loads(await client.recv())
        await client.send(list(event()))
        pieces = json.loads(await client.recv())
    for _ in range(10):
        async with websockets.connect(address, ssl=tls, **options) as client:
            await client.send(event())
    return whole['result'], pieces['result']


def clients():
    """Programs that nobody here wrote; each event counts once."""
    for hub, name in hubs('clients'):
        total, trust = 0, hub.certificate if hub.is_tls else True

        def counted(what, number, seen):
            nonlocal total
            total += number
            expect(f'{what}, {name}', hub.count() == total and 'accepted' in seen, f'{hub.count()} of {total}: {seen.strip()}')

        with requests.get(hub.url + '/v1/live', headers={'Authorization': f'Bearer {hub.door}'}, verify=trust, stream=True,
                          timeout=10) as live:
            lines = live.iter_lines(chunk_size=1, decode_unicode=True)
            expect(f'requests, /v1/live, {name}', next(lines) == 'event: status')
            counted('curl', 1, call('curl', '-s', '--cacert', hub.certificate, '-H', f'Authorization: Bearer {hub.door}', '-d', event(),
                                    hub.url + '/v1/events').stdout)
            counted('curl, with what it does for a large body, and a password', 100,
                    call('curl', '-s', '--cacert', hub.certificate, '-u', f'x:{hub.door}', '-H', 'Expect: 100-continue',
                         '-H', 'Transfer-Encoding: chunked', '--data-binary', '@-', hub.url + '/v1/events',
                         input=(event() + '\n') * 100).stdout[-60:])
            counted('wget', 1, call('wget', '-q', '-O', '-', f'--ca-certificate={hub.certificate}', f'--post-data={event()}',
                                    f'{hub.url}/t/{hub.door}/v1/events').stdout)
            counted('requests', 1, requests.post(hub.url + '/v1/events', headers={'Authorization': f'Bearer {hub.door}'},
                                                 json=json.loads(event()), verify=trust).text)
            address = hub.url.replace('http', 'ws', 1) + '/v1/ws'
            secure = ssl.create_default_context(cafile=hub.certificate) if hub.is_tls else None
            seen = asyncio.run(socket_counts(address, secure, additional_headers={'Authorization': f'Bearer {hub.door}'}))
            counted('websockets: whole, in frames of a byte, closed at once', 12, ' '.join(seen))
            wanted, rows = hub.count(), 0
            while rows < wanted and (line := next(lines, None)) is not None:
                rows += line.startswith('data: ') and '"delta":1' in line
            expect(f'requests, /v1/live has had each, {name}', rows == wanted, rows)
        for path, status in (('/v1/live?after=-1', 400), ('/v1/live?location=none', 404)):
            answer = requests.get(hub.url + path, auth=('x', hub.door), verify=trust, stream=True)
            expect(f'GET {path}, {name}', answer.status_code == status, answer.status_code)
        expect(f'GET /v1/live without a token, {name}', requests.get(hub.url + '/v1/live', verify=trust).status_code == 401)
        expect(f'a slow reader gets a whole answer, {name}', *slowly(hub, 0.05))


def slowly(hub, pause):
    """Whether a reader that takes 4 KiB at a time gets an answer of 300 kB that ends its connection; and how much of it."""
    call('curl', '-s', '-k', '-u', f'x:{hub.door}', '--data-binary', '@-', hub.url + '/v1/events', input=(event() + '\n') * 1_000)
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    plain.connect(('127.0.0.1', hub.port))
    context = ssl.create_default_context(cafile=hub.certificate) if hub.is_tls else None
    with context.wrap_socket(plain, server_hostname='localhost') if context else plain as line:
        line.sendall(f'GET /t/{hub.door}/v1/rows HTTP/1.0\r\n\r\n'.encode())
        answer = b''
        try:
            while piece := line.recv(4_096):
                answer += piece
                time.sleep(pause)
        except OSError:  # reset
            pass
    head, body = answer.split(b'\r\n\r\n', 1)
    length = int(re.search(rb'Content-Length: (\d+)', head)[1])
    return len(body) == length, f'{len(body)} of {length}'


# MARK: Proxies

def configuration(language):
    """The configuration of docs/hub.md."""
    with open('docs/hub.md') as file:
        return re.search(rf'^```{language}\n(.*?)^```', file.read(), re.M | re.S)[1]


def nginx(hub, port):
    folder = hub.folder + '/nginx'
    os.makedirs(folder)
    text = configuration('nginx').replace('443', f'127.0.0.1:{port}').replace('127.0.0.1:8484', f'127.0.0.1:{hub.port}')
    text = re.sub(r'/etc/\S+/fullchain\.pem', hub.certificate, text)
    text = re.sub(r'/etc/\S+/privkey\.pem', hub.folder + '/hub-key.pem', text)
    return start_nginx(folder, f'access_log {folder}/access.log;\n{text}'), folder


def caddy(hub, port):
    folder = hub.folder + '/caddy'
    os.makedirs(folder)
    # The certificate of the test, in place of one that Caddy would get for the name.
    site = f'https://hub.example:{port} {{\n\ttls {hub.certificate} {hub.folder}/hub-key.pem\n'
    text = configuration('caddy').replace('hub.example {\n', site).replace('127.0.0.1:8484', f'127.0.0.1:{hub.port}')
    with open(folder + '/Caddyfile', 'w') as file:
        file.write(f'{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{text}')
    log = open(folder + '/access.log', 'w')
    environment = dict(os.environ, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder)
    return start('caddy', 'run', '--config', folder + '/Caddyfile', env=environment, stderr=log), folder


class Line:
    """A connection that speaks HTTP/1.1 by hand."""

    def __init__(self, port, trust):
        context = ssl.create_default_context(cafile=trust)
        self.socket = context.wrap_socket(socket.create_connection(('127.0.0.1', port)), server_hostname='hub.example')
        self.socket.settimeout(5)

    def send(self, text):
        self.socket.sendall(text.encode())

    def take(self, end):
        """What comes, up to a text, or to the end of the connection."""
        text = ''
        try:
            while end not in text and (piece := self.socket.recv(65536)):
                text += piece.decode()
        except TimeoutError:
            pass
        return text


def behind(name, begin_proxy):
    hub = Hub(name, '--lines-per-second', '0')
    hub.run('counter-hub', 'certificate', 'hub.example')
    port = free_port()
    proxy, folder = begin_proxy(hub, port)
    url, trust = f'https://hub.example:{port}', hub.certificate
    curl = ('curl', '-s', '--resolve', f'hub.example:{port}:127.0.0.1', '--cacert', trust)
    expect(f'{name} listens', wait(lambda: call(*curl, url + '/healthz').stdout == 'ok\n'))
    page = call(*curl, '-i', url + '/').stdout
    expect(f'{name}: the page', 'content-security-policy' in page.lower() and '<title>' in page)
    live = Line(port, trust)
    live.send(f'GET /v1/live HTTP/1.1\r\nHost: hub.example:{port}\r\nAuthorization: Bearer {hub.door}\r\n\r\n')
    expect(f'{name}: /v1/live begins', 'event: status' in live.take(': counter-hub'))
    times = []
    for version in ('--http1.1', '--http2'):
        for _ in range(10):
            begin = time.monotonic()
            said = call(*curl, version, '-H', f'Authorization: Bearer {hub.door}', '-d', event(), url + '/v1/events').stdout
            if 'accepted' not in said or '"delta":1' not in live.take('\n\n'):
                expect(f'{name}: an event goes through at once', False, said)
            times.append(round(1000 * (time.monotonic() - begin)))
    expect(f'{name}: /v1/events and /v1/live, within a second', hub.count() == 20 and max(times) < 1000, f'ms, with curl\'s start: {times}')
    for version in ('--http1.1', '--http2'):
        before = hub.count()
        many = call(*curl, version, '-H', f'Authorization: Bearer {hub.door}', '--data-binary', '@-', url + '/v1/events',
                    input=(event() + '\n') * 50_000).stdout
        expect(f'{name}: a body of 2 MB, {version}', hub.count() - before == many.count('accepted') == 50_000,
               f'{hub.count() - before} counted, {many.count("accepted")} answered')
    before = hub.count()
    seen = asyncio.run(socket_counts(f'wss://hub.example:{port}/v1/ws', ssl.create_default_context(cafile=trust), host='127.0.0.1',
                                     origin=url, additional_headers={'Authorization': f'Bearer {hub.door}'}))
    expect(f'{name}: /v1/ws of a page', seen == ('accepted',) * 2 and hub.count() - before == 12, hub.count() - before)
    both = Line(port, trust)
    both.send(f'POST /t/{hub.door}/v1/events HTTP/1.1\r\nHost: hub.example:{port}\r\nTransfer-Encoding: chunked\r\n\r\n')
    answers = []
    for _ in range(3):
        both.send(f'{len(event()) + 1:x}\r\n{event()}\n\r\n')
        answers.append('accepted' in both.take('}\n'))
    both.send('0\r\n\r\n')
    said = both.take('\r\n0\r\n')
    rest = said.count('accepted')
    if name == 'caddy':  # once Go's HTTP/1.1 has begun to answer, it may throw away the rest of the body
        say(f'{name}: a body that comes slowly, over HTTP/1.1: {sum(answers)} of 3 lines answered meanwhile, {rest} after its end')
    else:
        expect(f'{name}: answers while lines are sent, over HTTP/1.1', all(answers), answers)
    duplex = start(*curl, '-N', '--http2', '-T', '.', '-X', 'POST', f'{url}/t/{hub.door}/v1/events',
                   '-H', 'Content-Type: application/x-ndjson', stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answers = []
    for _ in range(3):
        os.write(duplex.stdin.fileno(), (event() + '\n').encode())
        is_there = select.select([duplex.stdout], [], [], 5)[0]
        answers.append(bool(is_there) and b'accepted' in os.read(duplex.stdout.fileno(), 65536))
    duplex.stdin.close()
    expect(f'{name}: answers while lines are sent, over HTTP/2', all(answers) and duplex.wait() == 0, answers)
    logs = ''.join(open(f'{folder}/{file}').read() for file in os.listdir(folder) if file.endswith('.log'))
    expect(f'{name}: no token in its logs', hub.door not in logs)
    for line in (live, both):  # which Caddy would wait for
        line.socket.close()
    proxy.terminate()
    proxy.wait()
    hub.stop()


def proxies():
    """nginx and Caddy in front, as docs/hub.md says."""
    behind('nginx', nginx)
    behind('caddy', caddy)


parts = dict(openapi=openapi, autobahn=autobahn, clients=clients, proxies=proxies, rates=load.rates, live=load.live,
             minute=load.minute, beside=beside.beside)
for name in sys.argv[3:] or parts:
    print(f'{name}:', flush=True)
    parts[name]()
print(f'{len(failures)} failed' if failures else 'all is as it should be')
sys.exit(1 if failures else 0)
