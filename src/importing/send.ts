import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportRow } from './reading.ts';

const EVENTS = '/api/v1/runtime/v1/observability/events';
const BATCH_EVENTS = 1_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** Far above the limit of an event (64 KB of properties). */
const MAX_EVENT_CHARACTERS = 1024 * 1024;
const IN_FLIGHT = 3;
const RETRY_DEADLINE_MS = 60_000;

export interface Destination {
  url: string;
  apiKey: string;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

export interface ImportResult {
  accepted: number;
  duplicates: number;
  rejected: { line: number; message: string }[];
}

interface Batch {
  lines: number[];
  events: Record<string, unknown>[];
}

/** A batch can be resent: every event has an id. Resolves once all events can be queried. */
export async function sendRows(
  rows: AsyncIterable<ImportRow>,
  destination: Destination,
  prefix: string,
  onProgress: (result: ImportResult) => void,
): Promise<ImportResult> {
  const result: ImportResult = { accepted: 0, duplicates: 0, rejected: [] };
  const running = new Set<Promise<void>>();
  let receipt: string | undefined;
  let failure: unknown;
  for await (const batch of batches(rows, prefix, result)) {
    while (running.size >= IN_FLIGHT) await Promise.race(running);
    if (failure) break;
    const sent = sendBatch(batch, destination)
      .then((answer) => {
        result.accepted += answer.accepted;
        result.duplicates += answer.duplicates;
        for (const { index, message } of answer.rejected)
          result.rejected.push({ line: batch.lines[index] ?? 0, message });
        receipt = answer.receipt;
        onProgress(result);
      })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => running.delete(sent));
    running.add(sent);
  }
  await Promise.all(running);
  if (failure) {
    const done = `${result.accepted} events are in; run it again to go on, nothing is doubled.`;
    throw new Error(`${messageOf(failure)} ${done}`, { cause: failure });
  }
  if (receipt !== undefined) await waitUntilVisible(destination, receipt);
  result.rejected.sort((one, other) => one.line - other.line);
  return result;
}

async function* batches(rows: AsyncIterable<ImportRow>, prefix: string, result: ImportResult): AsyncGenerator<Batch> {
  let batch: Batch = { lines: [], events: [] };
  let characters = 0;
  for await (const { line, event, problem } of rows) {
    if (!event) {
      result.rejected.push({ line, message: problem ?? 'is no event' });
      continue;
    }
    const length = JSON.stringify(event).length;
    if (length > MAX_EVENT_CHARACTERS) {
      result.rejected.push({ line, message: 'is longer than any event may be' });
      continue;
    }
    const identified = event.id === undefined ? { ...event, id: `${prefix}-${line}` } : event;
    batch.lines.push(line);
    batch.events.push(identified);
    characters += length;
    if (batch.events.length < BATCH_EVENTS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = { lines: [], events: [] };
    characters = 0;
  }
  if (batch.events.length > 0) yield batch;
}

interface IngestAnswer {
  accepted: number;
  duplicates: number;
  rejected: { index: number; message: string }[];
  receipt: string;
}

async function sendBatch({ events }: Batch, { url, apiKey, fetch }: Destination): Promise<IngestAnswer> {
  const deadline = Date.now() + RETRY_DEADLINE_MS;
  for (;;) {
    const response = await fetch(`${url}${EVENTS}?partial=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ events }),
    }).catch((error: unknown) => {
      if (Date.now() >= deadline) throw new Error(`${url} cannot be reached: ${messageOf(error)}`);
      return null;
    });
    if (response?.ok) return (await response.json()) as IngestAnswer;
    // A quota error without Retry-After is permanent.
    const isBusy = response?.status === 429 && response.headers.has('retry-after');
    const again = response === null || isBusy || response.status >= 500;
    if (!again || Date.now() >= deadline) throw new Error(`The server refused a batch: ${await refusal(response)}`);
    await sleep(1_000 * Number(response?.headers.get('retry-after') ?? 1));
  }
}

/** Best effort: the events are durable. A key without read access does not wait. */
async function waitUntilVisible({ url, apiKey, fetch }: Destination, receipt: string): Promise<void> {
  await fetch(`${url}${EVENTS}/feed?limit=1`, { headers: { 'x-api-key': apiKey, 'x-wait-for': receipt } }).catch(
    () => null,
  );
}

async function refusal(response: Response | null): Promise<string> {
  if (!response) return 'no answer';
  const { message } = (await response.json().catch(() => ({}))) as { message?: string | string[] };
  return `${response.status} ${[message ?? ''].flat().join('; ')}`;
}

function messageOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error };
  return cause?.message ?? message;
}
