"""Says which lines are JSON objects by a strict reading of RFC 8259: 1 or 0 for each line of hexadecimal digits.

Python's json, with what it lets pass refused: a name twice in an object, NaN and infinities, numbers beyond a double,
and half a surrogate pair.
"""
import json
import math
import sys


def unique(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def number(text):
    value = float(text)
    if math.isinf(value):
        raise ValueError("beyond a double")
    return value


def refuse(text):
    raise ValueError(text)


def is_object(line):
    try:
        # The mark that editors put before a text is no part of it.
        text = bytes.fromhex(line).decode("utf-8").removeprefix("\ufeff")
        value = json.loads(
            text, object_pairs_hook=unique, parse_float=number, parse_int=number, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return isinstance(value, dict)
    except ValueError:
        return False


for line in sys.stdin:
    print("1" if is_object(line.strip()) else "0", end="")
