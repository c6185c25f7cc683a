import { setTimeout as sleep } from 'node:timers/promises';
import type { Capabilities, Vendor } from './capabilities.ts';
import { type ChatEvent, type ChatProvider, type Connection, ProviderFault } from './provider.ts';
import type { Price } from './recording/record.ts';
import type { ChatRequest } from './schema.ts';
import { Watchdog } from './watchdog.ts';

export interface ChatCandidate {
  provider: Vendor;
  providerName: string | null;
  connection: Connection;
  capabilities: Capabilities;
  price: Price | null;
  request: ChatRequest;
  isFallback: boolean;
  requiredParams: readonly string[];
  droppedParams: string[];
  stopAt: readonly string[];
  /** Until the first content; null: no own limit. */
  timeoutMs: number | null;
}

/** Milliseconds. */
export interface ChatTimeouts {
  /** Until the first content, over all attempts; then between two reads with content. */
  firstContentMs: number;
  /** Between two reads after the first content. */
  idleMs: number;
}

export interface Opened {
  requestId: string | null;
  hasContent: boolean;
  droppedParams: string[];
  /** Throws a ProviderFault if the answer breaks off. Returning it ends the request. */
  events: AsyncGenerator<ChatEvent[]>;
}

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
const RETRY_DEADLINE_MS = 20_000;

const STOPPED = 'The provider stopped in the middle of its answer.';

export class NoAnswer extends Error {
  readonly fault: ProviderFault;
  readonly candidate: ChatCandidate;

  constructor(fault: ProviderFault, candidate: ChatCandidate) {
    super(fault.message);
    this.fault = fault;
    this.candidate = candidate;
  }
}

export interface OpenOptions {
  /** At least one, in order of preference. */
  candidates: AsyncIterable<ChatCandidate>;
  load(provider: Vendor): Promise<ChatProvider>;
  timeouts: ChatTimeouts;
  signal: AbortSignal;
  onAttempt(candidate: ChatCandidate): void;
}

/** Retries each candidate with exponential backoff and full jitter. Throws NoAnswer. */
export async function openAnswer({ candidates, load, timeouts, signal, onAttempt }: OpenOptions): Promise<Opened> {
  const started = performance.now();
  const passed = () => performance.now() - started;
  let last: NoAnswer | undefined;
  for await (const candidate of candidates) {
    const provider = await load(candidate.provider);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const leftMs = Math.max(1, timeouts.firstContentMs - passed());
      onAttempt(candidate);
      try {
        return await open(provider, candidate, Math.min(candidate.timeoutMs ?? leftMs, leftMs), timeouts, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProviderFault)) throw error;
        if (error.kind === 'refused' && candidate.isFallback) break;
        last = new NoAnswer(error, candidate);
        if (error.kind === 'refused') throw last;
        const pauseMs = pauseAfter(error, attempt);
        const deadline = Math.min(RETRY_DEADLINE_MS, timeouts.firstContentMs);
        if (pauseMs === null || attempt === MAX_ATTEMPTS || passed() + pauseMs > deadline) break;
        await sleep(pauseMs, undefined, { signal });
      }
    }
    if (passed() >= timeouts.firstContentMs) break;
  }
  throw last!;
}

/** Null if a retry would fail the same way. */
function pauseAfter({ kind, retryAfterMs }: ProviderFault, attempt: number): number | null {
  if (kind === 'credential' || kind === 'timeout') return null;
  const jitter = Math.random() * FIRST_PAUSE_MS;
  return retryAfterMs === null ? jitter * 2 ** (attempt - 1) : retryAfterMs + jitter / 5;
}

async function open(
  provider: ChatProvider,
  { request, connection, capabilities, requiredParams }: ChatCandidate,
  limitMs: number,
  { firstContentMs, idleMs }: ChatTimeouts,
  caller: AbortSignal,
): Promise<Opened> {
  const watch = new Watchdog(caller);
  watch.expect(limitMs, 'The provider did not begin to answer in time.');
  try {
    const { signal } = watch;
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

/** `speechlessMs`: the limit for reads without content. */
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
      // Needs no timer: the watchdog handles silence.
      const now = performance.now();
      speechlessSince ??= now;
      if (now - speechlessSince > speechlessMs) throw new ProviderFault('timeout', STOPPED);
    }
  } catch (error) {
    throw watch.explain(error);
  } finally {
    // The connection of a complete answer can be reused.
    if (isWhole) watch.finish();
    else watch.abortRequest();
    reads.return?.().catch(() => undefined);
  }
}
