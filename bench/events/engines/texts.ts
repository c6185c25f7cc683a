import { DOUBLE, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import { type DuckdbFile, openDuckdb } from '../generate.ts';
import { type SourceEvent, sourceEvents } from '../source-rows.ts';
import { COLUMNS } from './engine.ts';

/** The events of a source with their properties as JSON text, as our store receives them. */
export async function writeTexts(path: string, sourcePath: string): Promise<void> {
  const file = await openDuckdb(path);
  const types = COLUMNS.map((column) => (column === 'ts' ? DOUBLE : VARCHAR));
  const columns = COLUMNS.map((column, at) => `${column} ${types[at]}`);
  await file.connection.run(`CREATE TABLE arrived (${columns.join(', ')})`);
  const appender = await file.connection.createAppender('arrived');
  for await (const events of sourceEvents(sourcePath)) {
    const chunk = DuckDBDataChunk.create(types, events.length);
    chunk.setRows(events.map(rowOf));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  await file.connection.run(`CREATE TABLE events AS SELECT * REPLACE (make_timestamp_ms(ts::BIGINT) AS ts) FROM arrived;
    DROP TABLE arrived; CHECKPOINT`);
  file.close();
}

function rowOf({ tenant, event }: SourceEvent) {
  const { agentId, eventName, timestamp, id, threadId, executionId, properties } = event;
  return [tenant, agentId, eventName, timestamp, id, threadId, executionId, properties];
}

export async function writeCsv(path: string, textsPath: string): Promise<void> {
  await using(textsPath, ({ connection }) =>
    connection.run(`COPY (SELECT ${COLUMNS.join(', ')} FROM events) TO '${path}' (FORMAT csv, HEADER false)`),
  );
}

async function using<Result>(path: string, use: (file: DuckdbFile) => Promise<Result>): Promise<Result> {
  const file = await openDuckdb(path);
  try {
    return await use(file);
  } finally {
    file.close();
  }
}
