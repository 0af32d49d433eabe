-- What the rows of the log come to: the figures that `counter` shows of the same rows. Run after schema.sql, and again at each upgrade.
--
-- The rows of a location count in the order of ordered_at, journal and position. A void takes a row back. A clock row mends the times of
-- others. Of an event that several journals have heard, the first row counts. A reset or the end of a day begins a segment: its level is the
-- value of the reset and what counts after it, and nothing in it counts before it begins.
--
-- Most rows are counts that are ordered when they count: their figures come from row_place alone, an index that holds all that is needed. The
-- others are few. To read: entry, minute, level, day, location, device, and the functions minutes and level_at.

CREATE INDEX IF NOT EXISTS row_place ON counter.row (location, ordered_at) INCLUDE (kind, device, delta, counted_at, journal, position);
CREATE INDEX IF NOT EXISTS row_late ON counter.row (location, ordered_at) INCLUDE (kind, delta, counted_at, journal, position)
    WHERE ordered_at > counted_at;
CREATE INDEX IF NOT EXISTS row_kind ON counter.row (kind, location, ordered_at) WHERE kind NOT IN ('in', 'out');
CREATE INDEX IF NOT EXISTS row_target ON counter.row ((coalesce(row->>'targetJournal', journal)), ((row->>'target')::bigint))
    WHERE kind = 'void';
CREATE INDEX IF NOT EXISTS row_number ON counter.row
    (location, device, journal, ((row->>'sequenceNumber')::bigint), (row->>'timestamp')) WHERE row ? 'sequenceNumber';
CREATE INDEX IF NOT EXISTS row_device ON counter.row (device, counted_at) WHERE kind IN ('in', 'out');

-- ---- Values

-- A figure within the range of the figures of `counter`.
CREATE OR REPLACE FUNCTION counter.clamped(figure numeric) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (CASE WHEN figure > 9223372036854775807 THEN 9223372036854775807
        WHEN figure < -9223372036854775808 THEN -9223372036854775808 ELSE figure END)::bigint
$$;

-- ---- Which rows count, and when

-- The rows that a void takes back.
CREATE OR REPLACE VIEW counter.taken_back AS
SELECT location, coalesce(row->>'targetJournal', journal) AS journal, (row->>'target')::bigint AS position
FROM counter.row WHERE kind = 'void';

-- The rows that clock rows mend, with the times that they have by that.
CREATE OR REPLACE VIEW counter.mended AS
SELECT location, journal, position, least(counted_at + step, latest) AS counted_at,
    CASE WHEN step = interval '0' THEN least(ordered_at, latest) ELSE least(counted_at + step, latest) END AS ordered_at, kind
FROM (
    SELECT clock.location, row.journal, row.position, row.kind, row.counted_at, row.ordered_at,
        -- 200 years at most, either way.
        least(greatest(coalesce(sum((clock.row->>'microseconds')::bigint), 0), -6324480000000000), 6324480000000000)::bigint
            * interval '1 microsecond' AS step,
        min(counter.moment(clock.row->>'latest')) AS latest
    FROM counter.row AS clock
    JOIN counter.row ON row.journal = coalesce(clock.row->>'targetJournal', clock.journal)
        AND row.position BETWEEN (clock.row->>'first')::bigint AND (clock.row->>'last')::bigint
        AND row.location IS NOT DISTINCT FROM clock.location AND row.kind NOT IN ('location', 'device')
    WHERE clock.kind = 'clock' AND NOT EXISTS (SELECT FROM counter.taken_back AS void
        WHERE void.location = clock.location AND void.journal = clock.journal AND void.position = clock.position)
    GROUP BY clock.location, row.journal, row.position
) AS moved;

-- The devices that have numbered events of a location in several journals.
CREATE OR REPLACE FUNCTION counter.shared_devices(of text) RETURNS SETOF text
LANGUAGE plpgsql STABLE ROWS 1 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY
    WITH RECURSIVE known AS (
        SELECT min(device) AS device FROM counter.row WHERE location = of AND row ? 'sequenceNumber'
        UNION ALL
        SELECT (SELECT min(row.device) FROM counter.row
            WHERE location = of AND row ? 'sequenceNumber' AND row.device > known.device)
        FROM known WHERE known.device IS NOT NULL
    )
    SELECT device FROM known
    WHERE (SELECT min(journal) FROM counter.row WHERE location = of AND row.device = known.device AND row ? 'sequenceNumber')
        <> (SELECT max(journal) FROM counter.row WHERE location = of AND row.device = known.device AND row ? 'sequenceNumber');
END $$;

-- The rows of the same event in other journals.
CREATE OR REPLACE FUNCTION counter.copies(event counter.row) RETURNS SETOF counter.row LANGUAGE sql STABLE ROWS 1 AS $$
    WITH RECURSIVE known AS (
        SELECT min(journal) AS journal FROM counter.row
        WHERE location = event.location AND device = event.device AND row ? 'sequenceNumber'
        UNION ALL
        SELECT (SELECT min(row.journal) FROM counter.row WHERE location = event.location AND device = event.device
            AND row ? 'sequenceNumber' AND row.journal > known.journal)
        FROM known WHERE known.journal IS NOT NULL
    )
    SELECT copy.* FROM known JOIN counter.row AS copy USING (journal)
    WHERE event.row ? 'sequenceNumber' AND journal <> event.journal
        AND copy.location = event.location AND copy.device = event.device AND copy.delta = event.delta AND copy.row ? 'sequenceNumber'
        AND (copy.row->>'sequenceNumber')::bigint = (event.row->>'sequenceNumber')::bigint
        AND copy.row->>'timestamp' = event.row->>'timestamp'
$$;

-- Whether a row does not count because one of another journal does, or is void, or is mended: then `revised` says which of them counts.
CREATE OR REPLACE FUNCTION counter.is_copy(event counter.row) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM counter.copies(event) AS copy
        WHERE (copy.ordered_at, copy.journal, copy.position) < (event.ordered_at, event.journal, event.position)
            OR EXISTS (SELECT FROM counter.taken_back AS void
                WHERE void.location = copy.location AND void.journal = copy.journal AND void.position = copy.position)
            OR EXISTS (SELECT FROM counter.mended
                WHERE mended.location = copy.location AND mended.journal = copy.journal AND mended.position = copy.position));
END $$;

-- The counts and corrections that do not count as they were written. Those that count are given as they do; of the others the kind is
-- NULL. `ends_day`: it ends a day of a file.
CREATE OR REPLACE FUNCTION counter.revised(of text)
RETURNS TABLE (
    kind text, delta bigint, ends_day boolean, counted_at timestamptz, ordered_at timestamptz, journal text, "position" bigint
)
LANGUAGE plpgsql STABLE ROWS 1000 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH void AS MATERIALIZED (SELECT journal, position FROM counter.taken_back WHERE location = of),
    mended AS MATERIALIZED (
        SELECT journal, position, counted_at, ordered_at FROM counter.mended WHERE location = of AND kind IN ('in', 'out', 'correction')
    ), named AS (
        SELECT journal, position, max(counted_at) AS counted_at, max(ordered_at) AS ordered_at
        FROM (
            SELECT * FROM mended
            UNION ALL
            SELECT copy.journal, copy.position, NULL, NULL FROM mended JOIN counter.row AS event USING (journal, position)
            CROSS JOIN LATERAL counter.copies(event) AS copy
            WHERE event.device IN (SELECT counter.shared_devices(of))
        ) AS event
        GROUP BY journal, position
    ), placed AS (
        SELECT kind, delta, kind = 'correction' AND row ? 'finalLevel' AS ends_day,
            coalesce(named.counted_at, row.counted_at) AS counted_at, coalesce(named.ordered_at, row.ordered_at) AS ordered_at,
            journal, position, (journal, position) IN (SELECT journal, position FROM void) AS is_void,
            CASE WHEN row ? 'sequenceNumber' THEN jsonb_build_array(device, row->'sequenceNumber', row->'timestamp', delta)
                ELSE jsonb_build_array(journal, position) END AS event
        FROM named JOIN counter.row USING (journal, position)
    ), counted AS (
        SELECT *, row_number() OVER (same ORDER BY ordered_at, journal, position) = 1 AND NOT bool_or(is_void) OVER same
            AS counts
        FROM placed WINDOW same AS (PARTITION BY event)
    )
    SELECT kind, delta, ends_day, counted_at, ordered_at, journal, position FROM counted WHERE counts
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, journal, position FROM counted WHERE NOT counts
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, journal, position FROM void;
END $$;

-- The counts and corrections that count. Of those that are ordered when they count, the ones from `since` on and before `until`; and all
-- others, which are few: what is ordered later than it happened came by a clock that was set back, or as one of several at once.
CREATE OR REPLACE FUNCTION counter.steps(of text, since timestamptz, until timestamptz)
RETURNS TABLE (kind text, delta bigint, ends_day boolean, counted_at timestamptz, ordered_at timestamptz, journal text, "position" bigint)
LANGUAGE sql STABLE ROWS 10000 AS $$
    WITH revised AS MATERIALIZED (SELECT * FROM counter.revised(of)),
    shared AS MATERIALIZED (SELECT coalesce(array_agg(device), '{}') AS devices FROM counter.shared_devices(of) AS device)
    SELECT kind, delta, false, counted_at, ordered_at, journal, position FROM counter.row
    WHERE location = of AND kind IN ('in', 'out') AND ordered_at >= since AND ordered_at < until AND ordered_at = counted_at
        AND (journal, position) NOT IN (SELECT journal, position FROM revised) AND device <> ALL ((SELECT devices FROM shared)::text[])
    UNION ALL
    SELECT kind, delta, false, counted_at, ordered_at, journal, position FROM counter.row AS event
    WHERE (SELECT cardinality(devices) FROM shared) > 0 AND device = ANY ((SELECT devices FROM shared)::text[])
        AND location = of AND kind IN ('in', 'out') AND ordered_at >= since AND ordered_at < until AND ordered_at = counted_at
        AND (journal, position) NOT IN (SELECT journal, position FROM revised) AND NOT counter.is_copy(event)
    UNION ALL
    SELECT kind, delta, false, counted_at, ordered_at, journal, position FROM counter.row AS event
    WHERE location = of AND kind IN ('in', 'out') AND ordered_at > counted_at
        AND (journal, position) NOT IN (SELECT journal, position FROM revised)
        AND NOT ((SELECT cardinality(devices) FROM shared) > 0 AND counter.is_copy(event))
    UNION ALL
    SELECT kind, delta, row ? 'finalLevel', counted_at, ordered_at, journal, position FROM counter.row
    WHERE location = of AND kind = 'correction' AND (journal, position) NOT IN (SELECT journal, position FROM revised)
    UNION ALL
    SELECT * FROM revised WHERE kind IS NOT NULL
$$;

-- The resets and ends of days that count. Ends that several machines have made by themselves at one time are one.
CREATE OR REPLACE FUNCTION counter.resets(of text)
RETURNS TABLE (value bigint, kind text, counted_at timestamptz, ordered_at timestamptz, journal text, "position" bigint)
LANGUAGE plpgsql STABLE ROWS 100 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH void AS MATERIALIZED (SELECT journal, position FROM counter.taken_back WHERE location = of),
    mended AS MATERIALIZED (SELECT * FROM counter.mended WHERE location = of AND kind IN ('reset', 'endOfDay')),
    placed AS (
        SELECT coalesce((row->>'value')::bigint, 0) AS value, row.kind, coalesce(mended.counted_at, row.counted_at) AS counted_at,
            coalesce(mended.ordered_at, row.ordered_at) AS ordered_at, journal, position,
            (journal, position) IN (SELECT journal, position FROM void) AS is_void,
            CASE WHEN row @> '{"isAutomatic": true}' THEN '' ELSE journal || position END AS machine
        FROM counter.row LEFT JOIN mended USING (journal, position)
        WHERE row.location = of AND row.kind IN ('reset', 'endOfDay')
    )
    SELECT value, kind, counted_at, ordered_at, journal, position
    FROM (
        SELECT *, row_number() OVER (same ORDER BY journal, position) = 1 AND NOT bool_or(is_void) OVER same AS counts
        FROM placed WINDOW same AS (PARTITION BY ordered_at, machine)
    ) AS reset
    WHERE counts;
END $$;

-- ---- Locations and devices

-- The locations of which there are rows. The index is read from one of them to the next.
CREATE OR REPLACE FUNCTION counter.location_ids() RETURNS SETOF text LANGUAGE sql STABLE ROWS 100 SET jit = off AS $$
    WITH RECURSIVE known AS (
        SELECT min(location) AS location FROM counter.row
        UNION ALL
        SELECT (SELECT min(row.location) FROM counter.row WHERE row.location > known.location)
        FROM known WHERE known.location IS NOT NULL
    )
    SELECT location FROM known WHERE location IS NOT NULL
$$;

-- The locations, as their last settings have them.
CREATE OR REPLACE VIEW counter.location AS
WITH added AS (
    SELECT DISTINCT ON (location) location, row->>'name' AS name, row->>'timezone' AS timezone
    FROM counter.row WHERE kind = 'location'
    ORDER BY location, ordered_at DESC, journal DESC, position DESC
), setting AS (
    SELECT DISTINCT ON (location, row->>'setting') location, row->>'setting' AS setting, row->>'text' AS text
    FROM counter.row LEFT JOIN counter.mended USING (kind, location, journal, position)
    WHERE kind = 'setting'
    ORDER BY location, row->>'setting', coalesce(mended.ordered_at, row.ordered_at) DESC, journal DESC, position DESC
), settings AS (
    SELECT location, jsonb_object_agg(setting, text) AS settings FROM setting GROUP BY location
)
SELECT location, coalesce(settings->>'name', added.name, location) AS name,
    coalesce(settings->>'timezone', added.timezone, 'UTC') AS timezone,
    coalesce((settings->>'dayStart')::integer, 0) AS day_start,
    (settings->>'capacity')::bigint AS capacity,
    (settings->>'target')::bigint AS target,
    settings->>'group' AS "group",
    settings->>'openingHours' AS opening_hours,
    coalesce((settings->>'endsDaysAutomatically')::boolean, false) AS ends_days_automatically,
    coalesce((settings->>'isHidden')::boolean, false) AS is_hidden
FROM counter.location_ids() AS known (location) LEFT JOIN added USING (location) LEFT JOIN settings USING (location);

-- The devices of which there are counts or settings, as their last settings have them. A device that is assigned to no location is at the
-- one of its last count.
CREATE OR REPLACE VIEW counter.device AS
WITH RECURSIVE known AS (
    SELECT min(device) AS device FROM counter.row WHERE kind IN ('in', 'out')
    UNION ALL
    SELECT (SELECT min(row.device) FROM counter.row WHERE kind IN ('in', 'out') AND row.device > known.device)
    FROM known WHERE known.device IS NOT NULL
), setting AS (
    SELECT device, location, row->>'setting' AS setting, row->>'text' AS text,
        bool_or(row->>'setting' = 'isForgotten') OVER (PARTITION BY device ORDER BY ordered_at DESC, journal DESC, position DESC)
            AS is_forgotten,
        row_number() OVER (PARTITION BY device, row->>'setting' ORDER BY ordered_at DESC, journal DESC, position DESC)
            AS number
    FROM counter.row WHERE kind = 'device'
), settings AS (
    SELECT device, max(text) FILTER (WHERE setting = 'name') AS name, max(location) FILTER (WHERE setting = 'location') AS location,
        coalesce(bool_and(text <> 'false') FILTER (WHERE setting = 'isActive'), true) AS is_active
    FROM setting WHERE number = 1 AND NOT is_forgotten GROUP BY device
)
SELECT device, coalesce(name, device) AS name, coalesce(settings.location, event.location) AS location,
    coalesce(is_active, true) AS is_active, event.counted_at AS last_event_at
FROM (SELECT device FROM known WHERE device IS NOT NULL UNION SELECT device FROM settings) AS device
LEFT JOIN settings USING (device)
LEFT JOIN LATERAL (
    SELECT row.location, row.counted_at FROM counter.row
    WHERE row.device = device.device AND kind IN ('in', 'out') ORDER BY row.counted_at DESC LIMIT 1) AS event ON true;

-- ---- Figures

-- The level of a location just before a time; by default the present one.
CREATE OR REPLACE FUNCTION counter.level_at(of text, "time" timestamptz DEFAULT 'infinity') RETURNS bigint
LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    segment record;
    sum numeric;
BEGIN
    SELECT *, lead(ordered_at, 1, 'infinity') OVER next AS next_at, lead(journal) OVER next AS next_journal,
        lead(position) OVER next AS next_position INTO segment
    FROM (
        SELECT value, ordered_at, journal, position FROM counter.resets(of)
        UNION ALL SELECT 0, '-infinity', '', 0
    ) AS reset
    WINDOW next AS (ORDER BY ordered_at, journal, position)
    ORDER BY ordered_at < level_at.time OR position = 0 DESC, ordered_at DESC, journal DESC, position DESC LIMIT 1;
    SELECT sum(delta) INTO sum FROM counter.steps(of, segment.ordered_at, level_at.time)
    WHERE counted_at < level_at.time
        AND (ordered_at, journal, position) > (segment.ordered_at, segment.journal, segment.position)
        AND (ordered_at, journal, position) < (segment.next_at, segment.next_journal, segment.next_position);
    RETURN counter.clamped(segment.value + coalesce(sum, 0));
END $$;

-- What happened at a location in each UTC minute in which something did, from `since` on and before `until`, which are starts of minutes.
-- `level` is that at the end of the minute, `highest_level` the highest in it. Ends of days of files move the level, and are no corrections.
CREATE OR REPLACE FUNCTION counter.minutes(of text, since timestamptz DEFAULT '-infinity', until timestamptz DEFAULT 'infinity')
RETURNS TABLE (
    minute timestamptz, "in" bigint, "out" bigint, corrected_up bigint, corrected_down bigint, level bigint, highest_level bigint
)
LANGUAGE plpgsql STABLE ROWS 1000 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    opening bigint = counter.level_at(of, since);
BEGIN
    RETURN QUERY
    WITH change AS (
        SELECT NULL::bigint AS value, * FROM counter.steps(of, since, until) WHERE ordered_at >= since AND counted_at < until
        UNION ALL
        SELECT value, 'reset', 0, false, ordered_at, ordered_at, journal, position FROM counter.resets(of) WHERE ordered_at >= since
    ), placed AS (
        SELECT *, count(value) OVER earlier AS segment,
            greatest(counted_at, max(ordered_at) FILTER (WHERE value IS NOT NULL) OVER earlier) AS time
        FROM change WINDOW earlier AS (ORDER BY ordered_at, journal, position)
    ), followed AS (
        SELECT *, date_bin('1 minute', time, 'epoch') AS minute,
            coalesce(max(value) OVER (PARTITION BY segment), opening)
                + sum(delta) OVER (PARTITION BY segment ORDER BY time, ordered_at, journal, position) AS level
        FROM placed WHERE time >= since AND time < until
    ), step AS (
        SELECT *, lead(minute) OVER next IS DISTINCT FROM minute AS is_last,
            -- A reset at the very beginning of a minute is before it.
            CASE WHEN value IS NULL OR time > minute THEN greatest(level, lag(level, 1, opening) OVER next)
                WHEN lead(value) OVER next IS NULL OR lead(time) OVER next > minute THEN level END AS highest
        FROM followed WINDOW next AS (ORDER BY segment, time, ordered_at, journal, position)
    )
    SELECT minute, count(*) FILTER (WHERE kind = 'in'), count(*) FILTER (WHERE kind = 'out'),
        coalesce(sum(delta) FILTER (WHERE kind = 'correction' AND delta > 0 AND NOT ends_day), 0)::bigint,
        coalesce(-sum(delta) FILTER (WHERE kind = 'correction' AND delta < 0 AND NOT ends_day), 0)::bigint,
        counter.clamped(max(level) FILTER (WHERE is_last)), counter.clamped(max(highest))
    FROM step GROUP BY minute;
END $$;

-- The same of all locations and all times. A condition of the minute is no faster: use the function for a part of a long history.
CREATE OR REPLACE VIEW counter.minute AS
SELECT location, location.name AS location_name, minutes.*
FROM counter.location CROSS JOIN LATERAL counter.minutes(location.location) AS minutes;

-- When the last event of a location counts, void or not.
CREATE OR REPLACE FUNCTION counter.last_event_at(of text) RETURNS timestamptz LANGUAGE sql STABLE SET jit = off AS $$
    WITH mended AS MATERIALIZED (SELECT * FROM counter.mended WHERE location = of AND kind IN ('in', 'out'))
    SELECT counted_at FROM (
        (SELECT counted_at, ordered_at FROM counter.row
        WHERE location = of AND kind IN ('in', 'out') AND (journal, position) NOT IN (SELECT journal, position FROM mended)
        ORDER BY ordered_at DESC, counted_at DESC LIMIT 1)
        UNION ALL
        SELECT counted_at, ordered_at FROM mended
    ) AS event
    ORDER BY ordered_at DESC, counted_at DESC LIMIT 1
$$;

-- The present level of each location. `count` is the number to show.
CREATE OR REPLACE VIEW counter.level AS
SELECT location, name AS location_name, level, count, capacity,
    CASE WHEN count >= capacity THEN 'full' WHEN 100 * count::numeric < 80 * capacity::numeric THEN 'ok'
        WHEN capacity IS NOT NULL THEN 'warning' END AS status,
    counter.clamped(floor(100 * count::numeric / capacity)) AS percentage,
    CASE WHEN capacity > count THEN capacity - count WHEN capacity IS NOT NULL THEN 0 END AS places_left,
    100 * count::numeric > 110 * capacity::numeric AS is_overcrowded,
    counter.last_event_at(location) AS last_event_at, "group", is_hidden
FROM counter.location
CROSS JOIN LATERAL (SELECT counter.level_at(location) AS level OFFSET 0) AS present
CROSS JOIN LATERAL (SELECT CASE WHEN capacity IS NULL THEN level ELSE greatest(level, 0) END AS count) AS shown;

-- The counts that are not ordered when they were written to count, where they do: not before the reset that they are ordered after.
CREATE OR REPLACE FUNCTION counter.special_entries(of text) RETURNS TABLE (counted_at timestamptz, journal text, "position" bigint)
LANGUAGE plpgsql STABLE ROWS 100 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT time, journal, position FROM (
        SELECT *, greatest(counted_at, max(ordered_at) FILTER (WHERE kind = 'reset') OVER earlier) AS time
        FROM (
            SELECT kind, counted_at, ordered_at, journal, position FROM counter.steps(of, 'infinity', '-infinity')
            WHERE kind IN ('in', 'out')
            UNION ALL
            SELECT 'reset', ordered_at, ordered_at, journal, position FROM counter.resets(of)
        ) AS change
        WINDOW earlier AS (ORDER BY ordered_at, journal, position)
    ) AS placed
    WHERE kind <> 'reset';
END $$;

-- The counts that count, once each.
CREATE OR REPLACE VIEW counter.entry AS
WITH shared AS MATERIALIZED (
    SELECT known.location, device
    FROM counter.location_ids() AS known (location) CROSS JOIN LATERAL counter.shared_devices(known.location) AS device
)
SELECT entry.location, location.name AS location_name, row.kind AS type, delta, entry.counted_at, device, row.row->>'source' AS source,
    row.row->>'userId' AS user_id, row.row->>'reason' AS reason, (row.row->>'sequenceNumber')::bigint AS sequence_number, received_at,
    journal, position
FROM (
    -- The ordinary ones, by the index.
    SELECT event.location, event.ordered_at AS counted_at, event.journal, event.position FROM counter.row AS event
    WHERE event.kind IN ('in', 'out') AND event.ordered_at = event.counted_at
        AND NOT EXISTS (SELECT FROM counter.taken_back AS void
            WHERE void.location = event.location AND void.journal = event.journal AND void.position = event.position)
        AND NOT EXISTS (SELECT FROM counter.mended
            WHERE mended.location = event.location AND mended.journal = event.journal AND mended.position = event.position)
        AND ((event.location, event.device) NOT IN (SELECT location, device FROM shared) OR NOT counter.is_copy(event))
    UNION ALL
    SELECT known.location, special.counted_at, special.journal, special.position
    FROM counter.location_ids() AS known (location) CROSS JOIN LATERAL counter.special_entries(known.location) AS special
) AS entry
JOIN counter.row USING (journal, position)
JOIN counter.location ON location.location = entry.location;

-- The ends of days that count, with the figures of the machine that ended them. That of a day of a file is in its last microsecond.
CREATE OR REPLACE VIEW counter.day AS
SELECT location.location, location.name AS location_name, counter.moment(row->>'from') AS "from", ended_at AS "to",
    (row->>'finalLevel')::bigint AS final_level, (row->>'totalIn')::bigint AS total_in, (row->>'totalOut')::bigint AS total_out,
    counter.moment(row->>'peakStart') AS peak_start, (row->>'peakIn')::bigint AS peak_in,
    (row->>'highestLevel')::bigint AS highest_level, (row->>'averageOccupancy')::double precision AS average_occupancy,
    row->>'userId' AS user_id, row @> '{"isAutomatic": true}' AS is_automatic, journal, position
FROM counter.location CROSS JOIN LATERAL (
    SELECT counted_at AS ended_at, journal, position FROM counter.resets(location.location) WHERE kind = 'endOfDay'
    UNION ALL
    SELECT counted_at + interval '1 microsecond', journal, position FROM counter.steps(location.location, 'infinity', '-infinity')
    WHERE ends_day
) AS ended JOIN counter.row USING (journal, position);

GRANT SELECT ON ALL TABLES IN SCHEMA counter TO counter_reader, counter_hub;
