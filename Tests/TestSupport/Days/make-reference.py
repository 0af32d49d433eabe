#!/usr/bin/env python3
"""Writes reference.csv beside itself: offsets, days and hours of zones, as Python's zoneinfo has them.

It reckons in the plainest way, so that it shares no idea with what is tested: it asks zoneinfo what clocks show at each
minute, and looks where a day's start hour first appears, and where date, hour or offset change. Lines:

    zone,NAME,OFFSET                          the offset at the first second of YEARS
    change,NAME,START,OFFSET                  from START on, within YEARS
    day,NAME,START_HOUR,DATE,START,END
    hour,NAME,DATE,HOUR,OFFSET,START,END      under the day that it is of, in order

Offsets are in seconds east of UTC; START and END (not included) in seconds since 1970, UTC. Days are given around each
change of FULL_YEAR and of MORE, hours for the days of the change itself.
"""

import datetime
import pathlib
import zoneinfo

YEARS = (2005, 2027)
FULL_YEAR = 2026
ZONES = [
    "UTC",
    "Europe/Zurich",  # the common case: one hour, at 2 in the night
    "Europe/Dublin",  # standard time in summer, a negative offset in winter
    "America/New_York",
    "America/Havana",  # repeats the hour after midnight
    "America/Santiago",  # skips midnight, repeats the hour before it
    "America/St_Johns",  # half an hour off; until 2011 it changed a minute after midnight
    "Africa/Cairo",  # skips midnight
    "Africa/Casablanca",  # changes twice around each Ramadan
    "Asia/Kathmandu",  # three quarters of an hour off, never changes
    "Asia/Pyongyang",  # half an hour back in 2015 and forth in 2018, at odd times
    "Australia/Lord_Howe",  # half an hour of daylight saving
    "Antarctica/Troll",  # two hours of daylight saving
    "Pacific/Apia",  # skipped 2011-12-30
]
MORE = {
    "America/St_Johns": ["2010-11-07", "2011-03-13"],
    "Asia/Pyongyang": ["2015-08-15", "2018-05-05"],
    "Pacific/Apia": ["2011-12-30", "2011-12-31"],
    "UTC": ["2026-02-28"],
    "Asia/Kathmandu": ["2026-11-21"],
}
START_HOURS = [0, 1, 2, 3, 4, 12, 23]
HOURS_OF = [0, 4]
DAY = 86400


def second(year, month=1, day=1):
    return int(datetime.datetime(year, month, day, tzinfo=datetime.timezone.utc).timestamp())


class Zone:
    def __init__(self, name):
        self.name = name
        self.info = zoneinfo.ZoneInfo(name)

    def clock(self, moment):
        """What clocks show, without zone, and how many seconds they are ahead."""
        aware = datetime.datetime.fromtimestamp(moment, self.info)
        return aware.replace(tzinfo=None, fold=0), int(aware.utcoffset().total_seconds())

    def offset(self, moment):
        return self.clock(moment)[1]

    def changes(self):
        hour = second(YEARS[0])
        while hour < second(YEARS[1]):
            if self.offset(hour) != self.offset(hour + 3600):
                start = next(s for s in range(hour + 1, hour + 3601) if self.offset(s) != self.offset(s - 1))
                yield start, self.offset(start)
            hour += 3600

    def first_minute(self, shown):
        """The first minute at which clocks show this or something later."""
        around = int(shown.replace(tzinfo=datetime.timezone.utc).timestamp())
        return next(m for m in range(around - 2 * DAY, around + 2 * DAY, 60) if self.clock(m)[0] >= shown)

    def day(self, date, start_hour):
        start = datetime.datetime.combine(date, datetime.time(start_hour))
        return self.first_minute(start), self.first_minute(start + datetime.timedelta(days=1))

    def hours(self, start, end):
        def label(minute):
            shown, offset = self.clock(minute)
            return shown.date(), shown.hour, offset

        bounds = [m for m in range(start, end, 60) if m == start or label(m) != label(m - 60)] + [end]
        for first, last in zip(bounds, bounds[1:]):
            yield *label(first), first, last


def lines(zone):
    yield "zone", zone.name, zone.offset(second(YEARS[0]))
    changes = list(zone.changes())
    for change in changes:
        yield "change", zone.name, *change
    # A change at midnight belongs to both dates: the one that it ends and the one that it begins.
    dates = {
        zone.clock(start + side)[0].date()
        for start, _ in changes
        for side in (-1, 0)
        if zone.clock(start)[0].year == FULL_YEAR
    }
    dates |= {datetime.date.fromisoformat(text) for text in MORE.get(zone.name, [])}
    around = {date + datetime.timedelta(days=step) for date in dates for step in (-1, 0, 1)}
    for date in sorted(around):
        for start_hour in START_HOURS:
            start, end = zone.day(date, start_hour)
            yield "day", zone.name, start_hour, date, start, end
            if date in dates and start_hour in HOURS_OF:
                for hour in zone.hours(start, end):
                    yield "hour", zone.name, *hour


def release():
    for directory in map(pathlib.Path, zoneinfo.TZPATH):
        if (directory / "tzdata.zi").exists():
            return (directory / "tzdata.zi").read_text().split("\n", 1)[0].removeprefix("# version ")
    return "unknown"


if __name__ == "__main__":
    with open(pathlib.Path(__file__).with_name("reference.csv"), "w") as file:
        print(f"# made by make-reference.py from tzdata {release()}", file=file)
        for name in ZONES:
            for line in lines(Zone(name)):
                print(*line, sep=",", file=file)
