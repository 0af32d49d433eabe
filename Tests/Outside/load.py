"""What a hub carries. Figures are printed; that nothing is lost and nobody waits for long is expected."""
import asyncio, http.client, json, os, re, resource, ssl, threading, time

from hub import call, event, expect, hubs, percentiles, place, say


def connection(hub):
    if not hub.is_tls:
        return http.client.HTTPConnection('127.0.0.1', hub.port, timeout=30)
    return http.client.HTTPSConnection('127.0.0.1', hub.port, timeout=30, context=ssl.create_default_context(cafile=hub.certificate))


def post(client, hub, body):
    client.request('POST', '/v1/events', body, {'Authorization': f'Bearer {hub.door}', 'Content-Type': 'application/x-ndjson'})
    answer = client.getresponse()
    return answer.status, answer.read().decode()


def lines_of(numbers):
    return ''.join(event(sequenceNumber=number) + '\n' for number in numbers)


# MARK: Rates

SCRIPT = '''
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-ndjson"
wrk.body = string.rep('{"delta":1,"deviceId":"door-1"}\\n', %d)
'''


def wrk(url, connections, seconds, token=None, lines=0):
    """Asks as fast as it can, by GET, or by POST of lines: answers a second, and their times in ms, p50 and p99."""
    script = f'{place}/wrk.lua'
    with open(script, 'w') as file:
        file.write(SCRIPT % lines if lines else '')
    header = ['-H', f'Authorization: Bearer {token}'] if token else []
    output = call('wrk', '-t1', f'-c{connections}', f'-d{seconds}s', '--latency', '-s', script, *header, url).stdout
    is_good = 'Non-2xx' not in output and 'Socket errors' not in output
    expect(f'{url}, {connections} connections, {lines} lines: no error', is_good, '' if is_good else output)
    units = dict(us=0.001, ms=1, s=1_000)
    times = [float(time) * units[unit] for time, unit in re.findall(r'(?:50|99)%\s+([\d.]+)(\w+)', output)]
    return float(re.search(r'Requests/sec:\s+(\S+)', output)[1]), *times


def rates():
    """What one program gets of each kind of request."""
    for hub, name in hubs('rates', '--lines-per-second', '0'):
        sent = 0
        say(f'at rest, {name}: {hub.memory():.1f} MB')
        for what, path, lines in (('GET /healthz', '/healthz', 0), ('GET /v1/status', '/v1/status', 0), ('POST of 1 event', '/v1/events', 1),
                                  ('POST of 100 events', '/v1/events', 100)):
            before = hub.metric('counter_hub_lines_total')
            rate, half, most = wrk(hub.url + path, 16, 10, hub.door, lines)
            say(f'{what}, {name}: {rate:,.0f}/s', f'= {rate * lines:,.0f} events/s' if lines > 1 else '',
                f'p50 {half:.3g} ms, p99 {most:.3g} ms; {hub.memory():.1f} MB')
            sent += hub.metric('counter_hub_lines_total') - before
        expect(f'each event that was answered is counted, {name}', hub.count() == sent == hub.metric('counter_hub_lines_total'),
               f'{hub.count():,} of {sent:,.0f}')
        expect(f'memory is bounded, {name}', hub.memory('VmHWM') < 100, f'{hub.memory("VmHWM"):.1f} MB at most')


# MARK: Pages

async def page(hub, context):
    reader, writer = await asyncio.open_connection('127.0.0.1', hub.port, ssl=context)
    writer.write(f'GET /v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {hub.door}\r\n\r\n'.encode())
    await reader.readuntil(b': counter-hub')
    return reader, writer


async def see(reader, number):
    await reader.readuntil(f'"sequenceNumber":{number},'.encode())
    return time.monotonic()


async def pages(hub, name, wanted=1_000):
    context = ssl.create_default_context(cafile=hub.certificate) if hub.is_tls else None
    before, opened = hub.memory(), []
    begin = time.monotonic()
    while len(opened) < wanted:
        opened += await asyncio.gather(*(page(hub, context) for _ in range(50)))
    expect(f'{wanted} live pages, {name}', hub.metric('counter_hub_live_readers') == wanted, f'in {time.monotonic() - begin:.1f} s')
    say(f'{wanted} live pages, {name}: {before:.1f} MB before, {hub.memory():.1f} MB now')
    client, first, last = connection(hub), [], []
    for number in range(1, 21):
        begin = time.monotonic()
        await asyncio.to_thread(post, client, hub, lines_of([number]))
        times = await asyncio.gather(*(see(reader, number) for reader, _ in opened))
        first.append(min(times) - begin)
        last.append(max(times) - begin)
    say(f'from a press to the first page, ms, {name}: {percentiles(first)}; to the last of {wanted}: {percentiles(last)}')
    say('   (the reader of all pages is one Python program)')
    expect(f'all pages have seen 20 events, {name}', hub.count() == 20 and max(last) < 5, f'{hub.memory():.1f} MB')
    for _, writer in opened:
        writer.transport.abort()
    for _ in range(100):
        if hub.metric('counter_hub_live_readers') == 0:
            break
        await asyncio.sleep(0.1)
    expect(f'all have left, {name}', hub.metric('counter_hub_live_readers') == 0, f'{hub.memory():.1f} MB')


def live():
    """A thousand pages."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, max(4_096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    for hub, name in hubs('live'):
        asyncio.run(pages(hub, name))
        expect(f'memory is bounded, {name}', hub.memory('VmHWM') < 150, f'{hub.memory("VmHWM"):.1f} MB at most')


# MARK: A minute

class Others:
    """Those who ask meanwhile: how long a status takes, and an event of another device."""

    def __init__(self, hub):
        self.hub, self.reads, self.writes, self.memory, self.isOver = hub, [], [], [], False
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()

    def ask(self):
        client = connection(self.hub)
        headers = {'Authorization': f'Bearer {self.hub.admin}', 'Content-Type': 'application/json'}
        while not self.isOver:
            for times, words in ((self.reads, ('GET', '/v1/status', None)),
                                 (self.writes, ('POST', '/v1/events?location=Other', event().replace('door-1', 'door-2')))):
                begin = time.monotonic()
                client.request(*words, headers)
                answer = client.getresponse()
                answer.read()
                assert answer.status == 200, answer.status
                times.append(time.monotonic() - begin)
            self.memory.append(self.hub.memory())
            time.sleep(0.2)

    def end(self):
        self.isOver = True
        self.thread.join()


def minute(seconds=60, rate=10_000, size=100):
    """10,000 lines a second for a minute, in requests of 100 lines, over four connections."""
    for hub, name in hubs('minute', '--lines-per-second', '0'):
        hub.run('counter', 'location', 'add', 'Other')
        clients, times, wrong = [connection(hub) for _ in range(4)], [], []
        others = Others(hub)
        begin = time.monotonic()

        def send(which):
            for turn in range(which, seconds * rate // size, len(clients)):
                due = begin + turn * size / rate
                if (left := due - time.monotonic()) > 0:
                    time.sleep(left)
                start = time.monotonic()
                status, answers = post(clients[which], hub, lines_of(range(turn * size, (turn + 1) * size)))
                times.append(time.monotonic() - start)
                if status != 200 or answers.count('"accepted"') != size:
                    wrong.append((status, answers))

        threads = [threading.Thread(target=send, args=(which,)) for which in range(len(clients))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - begin
        others.end()
        total = seconds * rate
        say(f'{total:,} lines in {took:.1f} s, {total / took:,.0f}/s, {name}; a request of {size} lines, ms: {percentiles(times)}')
        say(f'others meanwhile, ms, {name}: GET /v1/status {percentiles(others.reads)}; POST {percentiles(others.writes)}')
        third = len(others.memory) // 3
        say(f'memory, MB, {name}: first third {max(others.memory[:third]):.1f}, second {max(others.memory[third:2 * third]):.1f}, '
            f'last {max(others.memory[2 * third:]):.1f}')
        expect(f'each request is answered, {name}', not wrong, wrong[:1] or '')
        status, answers = post(clients[0], hub, lines_of(range(1_000)))
        expect(f'what is sent again is known, {name}', status == 200 and answers.count('"duplicate"') == 1_000)
        expect(f'each line is counted once, {name}', hub.count() == total, f'{hub.count():,}')
        other = int(hub.run('counter', 'show', '--location', 'Other'))
        expect(f'others are served, {name}', other == len(others.writes) and max(others.reads + others.writes) < 2, other)
        expect(f'memory is bounded, {name}', hub.memory('VmHWM') < 100, f'{hub.memory("VmHWM"):.1f} MB at most')
