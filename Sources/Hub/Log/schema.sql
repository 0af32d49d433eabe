-- The log of counter-hub: one row for each row of a journal, as its journal wrote it. `counter-hub log init` runs this, and views.sql after it.
DO $$
BEGIN
    IF to_regrole('counter_hub') IS NULL THEN CREATE ROLE counter_hub NOLOGIN; END IF;
    IF to_regrole('counter_reader') IS NULL THEN CREATE ROLE counter_reader NOLOGIN; END IF;
END $$;

CREATE SCHEMA counter;

-- One row: the version of this schema, and a name of the log by which hubs know that it is the same one.
CREATE TABLE counter.log (
    version integer NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
INSERT INTO counter.log (version) VALUES (1);

-- The hubs that write here. Each writes its own numbers in order, so that a reader needs no more than the last one it has seen of each.
CREATE TABLE counter.hub (
    journal text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    -- The position of its journal up to which all rows are here.
    through bigint NOT NULL DEFAULT 0,
    seen_at timestamptz NOT NULL DEFAULT now()
);

-- Ids are compared byte by byte, as counter does, whatever the locale of the database is.
CREATE TABLE counter.row (
    -- The journal that wrote it first, and its position there.
    journal text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    -- The hub that brought it, and its position in the journal of that hub. `append` knows that it is in the table hub: a
    -- reference would be looked up for each row, which takes a fifth of the time.
    hub text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    -- "type" in JSON: in, out, correction, reset, void, endOfDay, setting, ...
    kind text COLLATE "C" NOT NULL,
    location text COLLATE "C",
    device text COLLATE "C",
    delta bigint,
    counted_at timestamptz NOT NULL,
    ordered_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    -- The row as docs/json.md describes it.
    row jsonb NOT NULL,
    PRIMARY KEY (journal, position)
);
CREATE UNIQUE INDEX row_arrival ON counter.row (hub, number);

CREATE FUNCTION counter.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of the log are never changed or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON counter.row
    FOR EACH STATEMENT EXECUTE FUNCTION counter.refuse();

-- A time of a row. PostgreSQL has no year 0, which is the year before the year 1.
CREATE FUNCTION counter.moment(text text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN text LIKE '0000-%' THEN ('0001' || substr(text, 5) || ' BC')::timestamptz ELSE text::timestamptz END
$$;

-- An id as it stands in columns and indexes, which take 2,700 bytes.
CREATE FUNCTION counter.id(text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(text) > 400 THEN left(text, 50) || md5(text) ELSE text END
$$;

-- Whether a row of the log says another thing than one of the same name. Versions of counter may write members that others leave out.
CREATE FUNCTION counter.is_other(known counter.row, given jsonb) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (known.kind, known.delta, known.received_at)
        IS DISTINCT FROM (counter.id(given->>'type'), (given->>'delta')::bigint, counter.moment(given->>'receivedAt'))
$$;

-- Puts rows of a hub into the log, each with its number, up to `through`: all in one transaction. `known` is what the hub knows to be here;
-- where that is not so, another one writes as this hub. Returns those that are another row here: those stay as they are.
CREATE FUNCTION counter.append(hub text, known bigint, through bigint, numbers bigint[], rows jsonb)
RETURNS TABLE (journal text, "position" bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE added bigint;
BEGIN
    UPDATE counter.hub SET through = append.through, seen_at = now()
        WHERE hub.journal = append.hub AND hub.through = append.known;
    IF NOT FOUND THEN RAISE EXCEPTION 'another program writes as the hub %', hub USING ERRCODE = 'serialization_failure'; END IF;
    INSERT INTO counter.row
    SELECT counter.id(row->>'journal'), (row->>'position')::bigint, append.hub, number, counter.id(row->>'type'),
        counter.id(row->>'locationId'), counter.id(row->>'deviceId'), (row->>'delta')::bigint,
        least(counter.moment(row->>'timestamp'), counter.moment(row->>'receivedAt')),
        counter.moment(row->>'orderedAt'), counter.moment(row->>'receivedAt'), row
    FROM ROWS FROM (unnest(numbers), jsonb_array_elements(rows)) AS given (number, row)
    ON CONFLICT (journal, position) DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added = cardinality(numbers) THEN RETURN; END IF;
    RETURN QUERY SELECT known.journal, known.position
    FROM jsonb_array_elements(rows) AS given JOIN counter.row AS known
        ON known.journal = counter.id(given->>'journal') AND known.position = (given->>'position')::bigint
    WHERE counter.is_other(known, given);
END $$;

-- Which of some rows are not in the log, or are another row there.
CREATE FUNCTION counter.lacking(rows jsonb)
RETURNS TABLE (journal text, "position" bigint, is_other boolean) LANGUAGE sql STABLE AS $$
    SELECT given->>'journal', (given->>'position')::bigint, known.journal IS NOT NULL
    FROM jsonb_array_elements(rows) AS given
    LEFT JOIN counter.row AS known
        ON known.journal = counter.id(given->>'journal') AND known.position = (given->>'position')::bigint
    WHERE known.journal IS NULL OR counter.is_other(known, given)
$$;

GRANT USAGE ON SCHEMA counter TO counter_hub, counter_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA counter TO counter_hub, counter_reader;
GRANT INSERT ON counter.row, counter.hub TO counter_hub;
GRANT UPDATE (name, through, seen_at) ON counter.hub TO counter_hub;
