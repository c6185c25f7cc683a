import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { type DuckdbFile, openDuckdb } from './generate.ts';

/** An event of a data set and the name of its tenant. */
export interface SourceEvent {
  tenant: string;
  event: StoredEvent;
}

/**
 * The events in the order of their arrival, some 2,000 at a time, with the text of their
 * properties.
 */
export async function* sourceEvents(path: string): AsyncGenerator<SourceEvent[]> {
  const file = await openDuckdb(path);
  try {
    // A line of text for each event: reading a value of each column takes many times as long.
    const fields = [...OWN_FIELDS, await propertiesText(file)].map((field) => `coalesce(${field}, '')`);
    const result = await file.connection.stream(`SELECT concat_ws('${SEPARATOR}', ${fields.join(', ')}) FROM events`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk.getColumnValues(0).map((line) => sourceEvent(line as string));
    }
  } finally {
    file.close();
  }
}

/** In none of the generated texts. */
const SEPARATOR = '|';

const OWN_FIELDS = [
  'tenant_id',
  'id::VARCHAR',
  'agent_id',
  'event_name',
  'epoch_ms(ts)::VARCHAR',
  'thread_id',
  'execution_id',
];

function sourceEvent(line: string): SourceEvent {
  const [tenant = '', id = '', agentId = '', eventName = '', timestamp, threadId, executionId, properties = ''] =
    line.split(SEPARATOR);
  return {
    tenant,
    event: {
      id,
      idFromCaller: false,
      agentId,
      eventName,
      timestamp: Number(timestamp),
      threadId: threadId || null,
      executionId: executionId || null,
      properties,
    },
  };
}

const OWN_COLUMNS = ['tenant_id', 'agent_id', 'event_name', 'ts', 'id', 'thread_id', 'execution_id'];

/**
 * SQL for the text of the properties as JSON.stringify writes it, with the keys that apply to the
 * event. In SQL, so that reading the data set does not delay the store.
 */
async function propertiesText({ connection }: DuckdbFile): Promise<string> {
  const columns = await connection.runAndReadAll(
    "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'events' ORDER BY column_index",
  );
  const members = (columns.getRowsJson() as [string, string][])
    .filter(([name]) => !OWN_COLUMNS.includes(name))
    .map(([name, type]) => {
      const [key = '', inner] = name.split('__');
      return { outer: inner === undefined ? null : key, text: memberText(inner ?? key, valueText(name, type)) };
    });
  const outers = [...new Set(members.map((member) => member.outer).filter((outer) => outer !== null))];
  const nested = outers.map((outer) => {
    const inside = members.filter((member) => member.outer === outer).map((member) => member.text);
    return memberText(outer, `'{' || nullif(concat_ws(',', ${inside.join(', ')}), '') || '}'`);
  });
  const flat = members.filter((member) => member.outer === null).map((member) => member.text);
  return `'{' || concat_ws(',', ${[...flat, ...nested].join(', ')}) || '}'`;
}

function memberText(key: string, value: string): string {
  return `'"${key}":' || ${value}`;
}

/** The generated texts contain nothing that JSON escapes. */
function valueText(column: string, type: string): string {
  if (type === 'VARCHAR') return `'"' || ${column} || '"'`;
  if (type !== 'DOUBLE') return `${column}::VARCHAR`;
  return `CASE WHEN ${column} = floor(${column}) THEN ${column}::BIGINT::VARCHAR ELSE ${column}::VARCHAR END`;
}

const JUNK_KEYS = 300;
const JUNK_KEYS_PER_FORM = 60;

/** As `sourceEvents`, of the data set whose forms have hundreds of fields. */
export async function* crowdedEvents(path: string): AsyncGenerator<SourceEvent[]> {
  let forms = 0;
  const withFields = (event: StoredEvent): StoredEvent => {
    forms += 1;
    const fields = Array.from({ length: JUNK_KEYS_PER_FORM }, (_, at) => {
      const field = (forms * 7 + at * 5) % JUNK_KEYS;
      return [`field_${field}`, field % 2 === 0 ? `answer ${(forms + at) % 50}` : (forms + at) % 1_000];
    });
    return { ...event, properties: JSON.stringify(Object.fromEntries(fields)) };
  };
  for await (const some of sourceEvents(path)) {
    yield some.map(({ tenant, event }) => ({
      tenant,
      event: event.eventName === 'form_submitted' ? withFields(event) : event,
    }));
  }
}
