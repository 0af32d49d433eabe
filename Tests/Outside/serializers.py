"""Lines are sent as they are."""
import schemathesis

schemathesis.serializer.alias('application/x-ndjson', 'text/plain')
