import { client, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import type { MappedRow } from './mapping.ts';

const EVENTS = '/api/v1/runtime/v1/observability/events';
const BATCH_EVENTS = 1_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Twice as many attempts as a rate limit or a restart takes. */
const ATTEMPTS = 20;
const PAUSE_MS = 1_000;

export interface ImportedRows {
  read: number;
  accepted: number;
  duplicates: number;
  problems: { line: number; message: string }[];
}

/** As `agent-runtime import` makes it: a repeated import, here or there, finds duplicates alone. */
export async function idPrefixOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `import-${hex.slice(0, 32)}`;
}

/**
 * Throws where the server refuses a batch, and once the signal is aborted: after the batch under way, so that the
 * progress is true. What was sent stays, and is found again by its ids.
 */
export async function sendRows(
  rows: Iterable<MappedRow>,
  prefix: string,
  { onProgress, signal }: { onProgress(result: ImportedRows): void; signal: AbortSignal },
): Promise<ImportedRows> {
  let result: ImportedRows = { read: 0, accepted: 0, duplicates: 0, problems: [] };
  for (const { lines, events, broken } of batchesOf(rows, prefix)) {
    signal.throwIfAborted();
    const answer = events.length > 0 ? await send(events, signal) : { accepted: 0, duplicates: 0, rejected: [] };
    const rejected = answer.rejected.map(({ index, message }) => ({
      line: lines[index] ?? 0,
      message: message.replaceAll(/(^|; )events\[\d+\]\.?/g, '$1'),
    }));
    result = {
      read: result.read + events.length + broken.length,
      accepted: result.accepted + answer.accepted,
      duplicates: result.duplicates + answer.duplicates,
      problems: [...result.problems, ...broken, ...rejected].sort((one, other) => one.line - other.line),
    };
    onProgress(result);
  }
  return result;
}

interface Batch {
  lines: number[];
  events: object[];
  broken: ImportedRows['problems'];
}

function* batchesOf(rows: Iterable<MappedRow>, prefix: string): Generator<Batch> {
  let batch: Batch = { lines: [], events: [], broken: [] };
  let characters = 0;
  for (const { line, event, problem } of rows) {
    if (event) {
      batch.lines.push(line);
      batch.events.push(event.id === undefined ? { ...event, id: `${prefix}-${line}` } : event);
      characters += JSON.stringify(event).length;
    } else batch.broken.push({ line, message: problem ?? t('is no event') });
    if (batch.events.length + batch.broken.length < BATCH_EVENTS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = { lines: [], events: [], broken: [] };
    characters = 0;
  }
  yield batch;
}

async function send(events: object[], signal: AbortSignal): Promise<Schemas['IngestResult']> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const sent = await client.POST(EVENTS, {
      params: { query: { partial: true } },
      body: { events: events as Schemas['IngestEvent'][] },
    });
    if (sent.response.ok) return sent.data as Schemas['IngestResult'];
    const seconds = sent.response.headers.get('retry-after');
    const isBusy = sent.response.status >= 500 || (sent.response.status === 429 && seconds !== null);
    if (!isBusy || attempt === ATTEMPTS) throw sent.error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Number(seconds ?? 1)));
  }
}
