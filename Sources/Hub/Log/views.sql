-- What the rows of the log come to: the figures that `counter` shows of the same rows. Run after schema.sql, and again at each upgrade.
--
-- Rows of a location count in the order of ordered_at, journal and position. A void takes a row back; a clock row mends the times of
-- rows; of rows that say the same in several journals the first counts; a reset, and the end of a day, begin a segment, whose level is
-- the reset's value and what counts after it.

-- The rows that a void takes back.
CREATE OR REPLACE VIEW counter.taken_back AS
SELECT DISTINCT coalesce(void.row->>'targetJournal', void.journal) AS journal, (void.row->>'target')::bigint AS position
FROM counter.row AS void WHERE void.kind = 'void';

-- The rows whose times clock rows mend, with these times.
CREATE OR REPLACE VIEW counter.mended AS
SELECT location, journal, position, least(counted_at + step, latest) AS counted_at,
    CASE WHEN step = interval '0' THEN least(ordered_at, latest) ELSE least(counted_at + step, latest) END AS ordered_at
FROM (
    SELECT row.location, row.journal, row.position, row.counted_at, row.ordered_at,
        coalesce(sum((clock.row->>'microseconds')::bigint), 0)::bigint * interval '1 microsecond' AS step,
        min((clock.row->>'latest')::timestamptz) AS latest
    FROM counter.row AS clock
    JOIN counter.row ON row.location = clock.location
        AND row.journal = coalesce(clock.row->>'targetJournal', clock.journal)
        AND row.position BETWEEN (clock.row->>'first')::bigint AND (clock.row->>'last')::bigint
        AND row.kind NOT IN ('location', 'device', 'journal')
    LEFT JOIN counter.taken_back AS void ON void.journal = clock.journal AND void.position = clock.position
    WHERE clock.kind = 'clock' AND void.position IS NULL
    GROUP BY row.location, row.journal, row.position
) AS moved;

-- The locations, as their last settings have them.
CREATE OR REPLACE VIEW counter.location AS
WITH RECURSIVE known AS (
    SELECT min(location) AS location FROM counter.row
    UNION ALL
    SELECT (SELECT min(row.location) FROM counter.row WHERE row.location > known.location)
    FROM known WHERE known.location IS NOT NULL
), added AS (
    SELECT DISTINCT ON (location) location, row->>'name' AS name, row->>'timezone' AS timezone
    FROM counter.row WHERE kind = 'location'
    ORDER BY location, ordered_at DESC, journal COLLATE "C" DESC, position DESC
), setting AS (
    SELECT DISTINCT ON (location, row->>'setting') location, row->>'setting' AS setting, row->>'text' AS text
    FROM counter.row LEFT JOIN counter.mended USING (location, journal, position)
    WHERE kind = 'setting'
    ORDER BY location, row->>'setting', coalesce(mended.ordered_at, row.ordered_at) DESC, journal COLLATE "C" DESC, position DESC
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
FROM known LEFT JOIN added USING (location) LEFT JOIN settings USING (location)
WHERE location IS NOT NULL;

-- The resets and ends of days that count. Ends that several machines have made by themselves at one time are one.
CREATE OR REPLACE VIEW counter.reset AS
SELECT location, journal, position, kind, value, ordered_at, counted_at, row
FROM (
    SELECT location, journal, position, kind, value, ordered_at, counted_at, row,
        row_number() OVER (same ORDER BY journal COLLATE "C", position) = 1 AND NOT bool_or(is_void) OVER same AS counts
    FROM (
        SELECT row.location, row.journal, row.position, row.kind, row.row,
            coalesce((row.row->>'value')::bigint, 0) AS value,
            coalesce(mended.ordered_at, row.ordered_at) AS ordered_at,
            coalesce(mended.counted_at, row.counted_at) AS counted_at,
            void.position IS NOT NULL AS is_void,
            CASE WHEN row.row @> '{"isAutomatic": true}' THEN '' ELSE row.journal || row.position END AS machine
        FROM counter.row LEFT JOIN counter.mended USING (location, journal, position)
        LEFT JOIN counter.taken_back AS void USING (journal, position)
        WHERE row.kind IN ('reset', 'endOfDay')
    ) AS placed
    WINDOW same AS (PARTITION BY location, ordered_at, machine)
) AS reset
WHERE counts;

-- The parts of a location's rows between two resets, in order. The first begins before all.
CREATE OR REPLACE VIEW counter.segment AS
SELECT location, value, ordered_at AS begin, journal, position,
    lead(ordered_at) OVER next AS next_begin, lead(journal) OVER next AS next_journal, lead(position) OVER next AS next_position
FROM (
    SELECT location, 0 AS value, timestamptz '-infinity' AS ordered_at, '' AS journal, 0 AS position FROM counter.location
    UNION ALL
    SELECT location, value, ordered_at, journal, position FROM counter.reset
) AS reset
WINDOW next AS (PARTITION BY location ORDER BY ordered_at, journal COLLATE "C", position);

-- The entries and corrections that count, each in its segment. It counts no earlier than the segment begins.
CREATE OR REPLACE VIEW counter.step AS
SELECT step.location, step.journal, step.position, kind, device, delta, ordered_at,
    greatest(step.counted_at, begin) AS counted_at, begin, segment.journal AS begin_journal, segment.position AS begin_position, row
FROM (
    SELECT location, journal, position, kind, device, delta, ordered_at, counted_at, row,
        row_number() OVER (same ORDER BY ordered_at, journal COLLATE "C", position) = 1 AND NOT bool_or(is_void) OVER same AS counts
    FROM (
        SELECT row.location, row.journal, row.position, row.kind, row.device, row.delta, row.row,
            coalesce(mended.ordered_at, row.ordered_at) AS ordered_at,
            coalesce(mended.counted_at, row.counted_at) AS counted_at,
            void.position IS NOT NULL AS is_void,
            CASE WHEN row.row ? 'sequenceNumber' THEN jsonb_build_array(row.row->'sequenceNumber', row.row->'timestamp', delta)
                ELSE jsonb_build_array(row.journal, row.position) END AS event
        FROM counter.row LEFT JOIN counter.mended USING (location, journal, position)
        LEFT JOIN counter.taken_back AS void USING (journal, position)
        WHERE row.kind IN ('in', 'out', 'correction')
    ) AS placed
    WINDOW same AS (PARTITION BY location, device, event)
) AS step
JOIN counter.segment ON segment.location = step.location
    AND (ordered_at, step.journal COLLATE "C", step.position) > (begin, segment.journal, segment.position)
    AND (next_begin IS NULL OR (ordered_at, step.journal COLLATE "C", step.position) < (next_begin, next_journal, next_position))
WHERE counts;

CREATE OR REPLACE VIEW counter.entry AS
SELECT step.location, location.name AS location_name, kind AS type, delta, counted_at, device, row->>'source' AS source,
    row->>'userId' AS user_id, row->>'reason' AS reason, (row->>'sequenceNumber')::bigint AS sequence_number, ordered_at,
    journal, position
FROM counter.step JOIN counter.location USING (location)
WHERE kind IN ('in', 'out');

CREATE OR REPLACE VIEW counter.minute AS
WITH part AS (
    SELECT location, date_bin('1 minute', counted_at, 'epoch') AS minute, begin, begin_journal, begin_position,
        coalesce(sum(delta) FILTER (WHERE kind = 'in'), 0)::bigint AS entered,
        coalesce(-sum(delta) FILTER (WHERE kind = 'out'), 0)::bigint AS gone,
        coalesce(sum(delta) FILTER (WHERE kind = 'correction' AND delta > 0), 0)::bigint AS corrected_up,
        coalesce(-sum(delta) FILTER (WHERE kind = 'correction' AND delta < 0), 0)::bigint AS corrected_down
    FROM (
        SELECT location, counted_at, begin, begin_journal, begin_position, kind, delta FROM counter.step
        UNION ALL
        SELECT location, ordered_at, ordered_at, journal, position, 'reset', 0 FROM counter.reset
    ) AS change
    GROUP BY 1, 2, 3, 4, 5
), sum AS (
    SELECT part.*, segment.value
        + sum(entered - gone + corrected_up - corrected_down)
            OVER (PARTITION BY location, begin, begin_journal, begin_position ORDER BY minute) AS level
    FROM part JOIN counter.segment USING (location, begin)
    WHERE begin_journal = segment.journal AND begin_position = segment.position
)
SELECT location, location.name AS location_name, minute, entered AS "in", gone AS "out", corrected_up, corrected_down, level
FROM (
    SELECT location, minute, sum(entered)::bigint AS entered, sum(gone)::bigint AS gone,
        sum(corrected_up)::bigint AS corrected_up, sum(corrected_down)::bigint AS corrected_down,
        ((array_agg(level ORDER BY begin DESC, begin_journal COLLATE "C" DESC, begin_position DESC))[1])::bigint AS level
    FROM sum GROUP BY location, minute
) AS minute JOIN counter.location USING (location);

CREATE OR REPLACE VIEW counter.level AS
WITH present AS (
    SELECT location, segment.value + coalesce(sum(delta), 0)::bigint AS level
    FROM counter.segment LEFT JOIN counter.step
        USING (location, begin)
    WHERE next_begin IS NULL
        AND (step.location IS NULL OR (begin_journal, begin_position) = (segment.journal, segment.position))
    GROUP BY location, segment.value
)
SELECT location, name AS location_name, level, CASE WHEN capacity IS NULL THEN level ELSE greatest(level, 0) END AS count, capacity,
    CASE WHEN capacity IS NULL THEN NULL
        WHEN level >= capacity THEN 'full' WHEN 100 * greatest(level, 0)::numeric < 80 * capacity THEN 'ok' ELSE 'warning' END AS status,
    (SELECT coalesce(mended.counted_at, row.counted_at) FROM counter.row
        LEFT JOIN counter.mended USING (location, journal, position)
        WHERE row.location = present.location AND kind IN ('in', 'out')
        ORDER BY coalesce(mended.ordered_at, row.ordered_at) DESC, coalesce(mended.counted_at, row.counted_at) DESC LIMIT 1)
        AS last_event_at
FROM present JOIN counter.location USING (location);

CREATE OR REPLACE VIEW counter.day AS
SELECT location, location.name AS location_name, (row->>'from')::timestamptz AS "from", (row->>'to')::timestamptz AS "to",
    (row->>'finalLevel')::bigint AS final_level, (row->>'totalIn')::bigint AS total_in, (row->>'totalOut')::bigint AS total_out,
    (row->>'peakStart')::timestamptz AS peak_start, (row->>'peakIn')::bigint AS peak_in,
    (row->>'highestLevel')::bigint AS highest_level, (row->>'averageOccupancy')::double precision AS average_occupancy,
    row->>'userId' AS user_id, coalesce((row->>'isAutomatic')::boolean, false) AS is_automatic, journal, position
FROM (
    SELECT location, counted_at AS ended_at, row, journal, position FROM counter.reset WHERE kind = 'endOfDay'
    UNION ALL
    SELECT location, counted_at, row, journal, position FROM counter.step WHERE kind = 'correction' AND row ? 'finalLevel'
) AS ended JOIN counter.location USING (location);

GRANT SELECT ON ALL TABLES IN SCHEMA counter TO counter_reader, counter_hub;
