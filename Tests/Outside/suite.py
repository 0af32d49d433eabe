"""The Autobahn test suite against a hub's /v1/ws. Python 2, in which the suite is written.
Arguments: the folder where the suite is installed, the address of the WebSocket, the folder for its reports, the cases, such as 7.*.

The suite expects a server that sends back each message. A hub answers each line instead. So each answer is held against the message
that it is for: where it is what the hub has to say of that line, the suite is given the message, as if it had been sent back, and
judges the frames, their order and the close itself. No message of the suite has several lines, or is an event; one that is blank has
no answer, and none is expected. Messages over the hub's limit have to end the connection with 1009, whatever the suite thinks.
"""
import json, re, site, sys

installed, address, reports = sys.argv[1:4]
site.addsitedir(installed)

from autobahntestsuite import fuzzing
from twisted.internet import reactor

LONGEST_LINE = 16384
# Messages of more than 64 KiB.
TOO_LARGE = re.compile(r'7\.1\.6|9\.[12]\.[2-6]|9\.[3-6]\.\d+')
GOOD = ('OK', 'NON-STRICT', 'INFORMATIONAL', 'UNIMPLEMENTED')


def is_blank(part):
    return part[0] == 'message' and not part[1].strip()


def answers(text, number, message):
    """Whether the text is the hub's answer to the message that is the line of that number."""
    try:
        answer = json.loads(text)
    except ValueError:
        return False
    why = 'is longer than %d bytes' % LONGEST_LINE if len(message) > LONGEST_LINE else 'is no JSON object'
    return answer['line'] == number and answer['result'] == 'refused' and answer['why'].startswith(why)


class Protocol(fuzzing.FuzzingClientProtocol):

    def onOpen(self):
        self.number = 0
        fuzzing.FuzzingClientProtocol.onOpen(self)
        case = self.runCase
        messages = [part for part in case.expected.get('OK', []) if part[0] == 'message']
        self.lines = [(number, part) for number, part in enumerate(messages, 1) if not is_blank(part)]
        if any(map(is_blank, messages)):
            for key, parts in case.expected.items():
                case.expected[key] = [part for part in parts if not is_blank(part)]
            case.finishWhenDone()

    def next_line(self):
        """The number of the next line that is answered, its message, and whether that is binary."""
        if self.lines:
            number, (_, message, binary) = self.lines.pop(0)
            return number, message, binary
        # The cases of 9 look at the length only.
        self.number += 1
        length = getattr(self.runCase, 'LEN', 0) or getattr(self.runCase, 'DATALEN', 0)
        return self.number, '*' * length, re.match('Case9_[28]_', self.runCase.__class__.__name__) is not None

    def onMessage(self, text, binary):
        number, message, is_binary = self.next_line()
        if not binary and answers(text, number, message):
            text, binary = message, is_binary
        fuzzing.FuzzingClientProtocol.onMessage(self, text, binary)


class Factory(fuzzing.FuzzingClientFactory):

    def buildProtocol(self, _):
        protocol = Protocol()
        protocol.factory, protocol.caseAgent, protocol.case = self, self.agent, self.currentCaseIndex
        protocol.Case = fuzzing.Cases[self.currentCaseIndex - 1]
        protocol.runCase = protocol.Case(protocol)
        return protocol


def verdict(result):
    if TOO_LARGE.match(result['id']):
        return 'TOO LARGE' if result['remoteCloseCode'] == 1009 else 'NO 1009 (%s)' % result['remoteCloseCode']
    return result['behavior'] if result['behaviorClose'] in GOOD else 'CLOSE: ' + result['behaviorClose']


factory = Factory({'servers': [{'agent': 'counter-hub', 'url': address}], 'cases': sys.argv[4:] or ['*'], 'outdir': reports,
                   'exclude-cases': ['9.7.1', '9.8.1'], 'exclude-agent-cases': {}})
reactor.run()
results = factory.agents.get('counter-hub', {})
groups, bad = {}, []
for number in sorted(results, key=lambda text: map(int, text.split('.'))):
    said = verdict(results[number])
    group = int(number.split('.')[0]), fuzzing.CaseCategories[number.split('.')[0]]
    groups.setdefault(group, {}).setdefault(said, []).append(number)
    if said not in GOOD + ('TOO LARGE',):
        bad.append((number, said, results[number]['result'], results[number]['resultClose']))
for (number, name), said in sorted(groups.items()):
    print >> sys.stderr, '    %2d %s: %s' % (number, name, ', '.join('%d %s' % (len(cases), word) for word, cases in said.items()))
for each in bad:
    print >> sys.stderr, 'FAIL', each
print >> sys.stderr, '    %d cases, of which %d failed' % (len(results), len(bad))
sys.exit(1 if bad or not results else 0)
