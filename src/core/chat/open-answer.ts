import { setTimeout as sleep } from 'node:timers/promises';
import type { Capabilities } from './capabilities.ts';
import { type ChatEvent, type ChatProvider, type Connection, ProviderFault } from './provider.ts';
import type { Price } from './recording/record.ts';
import type { ChatRequest } from './schema.ts';
import type { Vendor } from './vendors.ts';
import { Watchdog } from './watchdog.ts';

/** The requested provider, or a fallback of it. */
export interface Candidate {
  provider: Vendor;
  providerName: string | null;
  connection: Connection;
  capabilities: Capabilities;
  /** From its definition. */
  price: Price | null;
  /** Adapted to the model. */
  request: ChatRequest;
  isFallback: boolean;
  /** Members of the request that must not be dropped. */
  requiredParams: readonly string[];
  droppedParams: string[];
  stopAt: readonly string[];
  /** Until the first content; null: no limit of its own. */
  timeoutMs: number | null;
}

/** Milliseconds. */
export interface Patience {
  /** Until the first content, over all attempts; after it, between two reads with content. */
  firstContentMs: number;
  /** Between two reads after the first content. */
  idleMs: number;
}

/** An answer up to its first content, or a complete one without any. */
export interface Opened {
  requestId: string | null;
  hasContent: boolean;
  /** Dropped by the provider's adapter. */
  droppedParams: string[];
  /** All events. Throws a ProviderFault if the answer breaks off. Returning it ends the request. */
  events: AsyncGenerator<ChatEvent[]>;
}

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** No retry after this time: the caller would rather have an error. */
const RETRY_DEADLINE_MS = 20_000;

const STOPPED = 'The provider stopped in the middle of its answer.';

/** No candidate answered. */
export class NoAnswer extends Error {
  readonly fault: ProviderFault;
  /** The candidate at fault. */
  readonly candidate: Candidate;

  constructor(fault: ProviderFault, candidate: Candidate) {
    super(fault.message);
    this.fault = fault;
    this.candidate = candidate;
  }
}

export interface OpenOptions {
  /** At least one, in the order of trying. */
  candidates: AsyncIterable<Candidate>;
  load(provider: Vendor): Promise<ChatProvider>;
  patience: Patience;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Called before each request. */
  onAttempt(candidate: Candidate): void;
}

/**
 * Tries the candidates in order until one begins to answer. Transient faults are retried with
 * exponential backoff and full jitter, or after the time that the provider asks for. Nothing is
 * retried after the first content: the client has received it. A fallback that refuses the request
 * is skipped, since the request was meant for another model. Throws NoAnswer with the last fault,
 * or the signal's reason.
 */
export async function openAnswer({ candidates, load, patience, signal, onAttempt }: OpenOptions): Promise<Opened> {
  const started = performance.now();
  const passed = () => performance.now() - started;
  let last: NoAnswer | undefined;
  for await (const candidate of candidates) {
    const provider = await load(candidate.provider);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const leftMs = Math.max(1, patience.firstContentMs - passed());
      onAttempt(candidate);
      try {
        return await open(provider, candidate, Math.min(candidate.timeoutMs ?? leftMs, leftMs), patience, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProviderFault)) throw error;
        if (error.kind === 'refused' && candidate.isFallback) break;
        last = new NoAnswer(error, candidate);
        if (error.kind === 'refused') throw last;
        const pauseMs = pauseAfter(error, attempt);
        const deadline = Math.min(RETRY_DEADLINE_MS, patience.firstContentMs);
        if (pauseMs === null || attempt === MAX_ATTEMPTS || passed() + pauseMs > deadline) break;
        await sleep(pauseMs, undefined, { signal });
      }
    }
    if (passed() >= patience.firstContentMs) break;
  }
  throw last!;
}

/** Null if a retry would fail the same way: an invalid key, or no time left. */
function pauseAfter({ kind, retryAfterMs }: ProviderFault, attempt: number): number | null {
  if (kind === 'credential' || kind === 'timeout') return null;
  const jitter = Math.random() * FIRST_PAUSE_MS;
  return retryAfterMs === null ? jitter * 2 ** (attempt - 1) : retryAfterMs + jitter / 5;
}

/** Sends one request and reads to its first content. */
async function open(
  provider: ChatProvider,
  { request, connection, capabilities, requiredParams }: Candidate,
  limitMs: number,
  { firstContentMs, idleMs }: Patience,
  caller: AbortSignal,
): Promise<Opened> {
  const watch = new Watchdog(caller);
  watch.expect(limitMs, 'The provider did not begin to answer in time.');
  try {
    const { signal } = watch;
    // One limit for both: events before the first content are not content.
    const { requestId, reads, first } = await watch.wait(
      provider
        .stream({ request, connection, capabilities, requiredParams, signal })
        .then(async ({ requestId, events }) => {
          const reads = events[Symbol.asyncIterator]();
          return { requestId, reads, first: await untilContent(reads) };
        }),
    );
    watch.expect(idleMs, STOPPED);
    const speechlessMs = Math.max(firstContentMs, idleMs);
    return {
      requestId,
      hasContent: first.some(isContent),
      droppedParams: droppedOf(first),
      events: continued(first, reads, { watch, speechlessMs }),
    };
  } catch (error) {
    watch.abortRequest();
    throw watch.explain(error);
  }
}

function droppedOf(events: ChatEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'warning' && event.droppedParam ? [event.droppedParam] : []));
}

/** The events up to the first content, or to the end of an answer without any. */
async function untilContent(reads: AsyncIterator<ChatEvent[]>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  while (!events.some(isContent)) {
    const { done, value } = await reads.next();
    if (done) break;
    events.push(...value);
  }
  return events;
}

function isContent({ type }: ChatEvent): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call';
}

/** `speechlessMs`: how long a provider may send only signs of life. */
async function* continued(
  first: ChatEvent[],
  reads: AsyncIterator<ChatEvent[]>,
  { watch, speechlessMs }: { watch: Watchdog; speechlessMs: number },
): AsyncGenerator<ChatEvent[]> {
  let isWhole = false;
  let speechlessSince: number | null = null;
  try {
    if (first.length > 0) yield first;
    for (;;) {
      const { done, value } = await watch.wait(reads.next());
      isWhole = done === true;
      if (isWhole) return;
      if (value.length > 0) {
        speechlessSince = null;
        yield value;
        continue;
      }
      // Checked when something arrives, so it needs no timer; silence is the watchdog's.
      const now = performance.now();
      speechlessSince ??= now;
      if (now - speechlessSince > speechlessMs) throw new ProviderFault('timeout', STOPPED);
    }
  } catch (error) {
    throw watch.explain(error);
  } finally {
    // The connection of a whole answer can be reused.
    if (isWhole) watch.finish();
    else watch.abortRequest();
    reads.return?.().catch(() => undefined);
  }
}
