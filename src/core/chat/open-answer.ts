import { setTimeout as sleep } from 'node:timers/promises';
import type { Capabilities } from './capabilities.ts';
import { type ChatEvent, type ChatProvider, type Connection, ProviderFault } from './provider.ts';
import type { Price } from './recording/record.ts';
import type { ChatRequest } from './schema.ts';
import type { ProviderName } from './vendors.ts';
import { Watchdog } from './watchdog.ts';

/** One way to an answer: the provider asked for, or a fallback of it. */
export interface Candidate {
  provider: ProviderName;
  providerName: string | null;
  connection: Connection;
  capabilities: Capabilities;
  /** What its definition says that it asks for. */
  price: Price | null;
  /** What it is asked, already honoured. */
  request: ChatRequest;
  /** Whether it is another than the one asked for. */
  isFallback: boolean;
  /** Members of it that may not be left out. */
  requiredParams: readonly string[];
  droppedParams: string[];
  stopAt: readonly string[];
  /** Until its first content; null leaves it all the time there is. */
  timeoutMs: number | null;
}

/** Milliseconds. */
export interface Patience {
  /** From the request until the first content, all attempts together; and between two events, where only signs of life come. */
  firstContentMs: number;
  /** Between two reads after the first content, whatever they bring. */
  idleMs: number;
}

/** An answer whose first content is there, or that has ended without any. */
export interface Opened {
  requestId: string | null;
  hasContent: boolean;
  /** What the provider's adapter has left out, beside what was known before. */
  droppedParams: string[];
  /** Its events from the first on. Throws a ProviderFault when it breaks off. Whoever leaves it ends the upstream request. */
  events: AsyncGenerator<ChatEvent[]>;
}

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** After so long nothing is tried once more: whoever waits would rather know. */
const RETRY_DEADLINE_MS = 20_000;

const STOPPED = 'The provider stopped in the middle of its answer.';

/** That nobody answered. */
export class NoAnswer extends Error {
  /** What is to be told of it. */
  readonly fault: ProviderFault;
  /** Whose it is. */
  readonly candidate: Candidate;

  constructor(fault: ProviderFault, candidate: Candidate) {
    super(fault.message);
    this.fault = fault;
    this.candidate = candidate;
  }
}

export interface Asking {
  /** At least one, in the order in which they are asked. */
  candidates: AsyncIterable<Candidate>;
  load(provider: ProviderName): Promise<ChatProvider>;
  patience: Patience;
  /** Aborted when whoever asked has left. */
  signal: AbortSignal;
  /** Told of each request before it goes out. */
  onAttempt(candidate: Candidate): void;
}

/**
 * Asks the candidates in turn until one has begun to answer. What may pass is tried again after a pause, which is random
 * within a doubling bound (full jitter), or as long as the provider asks for. After the first content nothing is tried
 * again: the caller has seen it. What a fallback refuses says nothing of the request, which was for another model: it is
 * passed over. Throws NoAnswer with the last fault, or the signal's reason when the caller has left.
 */
export async function openAnswer({ candidates, load, patience, signal, onAttempt }: Asking): Promise<Opened> {
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

/** Null where another attempt would end alike: a key that is not accepted, a time that is used up. */
function pauseAfter({ kind, retryAfterMs }: ProviderFault, attempt: number): number | null {
  if (kind === 'credential' || kind === 'timeout') return null;
  const jitter = Math.random() * FIRST_PAUSE_MS;
  return retryAfterMs === null ? jitter * 2 ** (attempt - 1) : retryAfterMs + jitter / 5;
}

/** Sends one request and reads until its first content. */
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
    // One limit for both: what comes before the first content does not count as such.
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
    watch.stop();
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

/** `speechlessMs`: how long a provider may show that it is at work and tell nothing. */
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
      // Looked at when something comes, so that it needs no timer: when nothing does, the watch ends it.
      const now = performance.now();
      speechlessSince ??= now;
      if (now - speechlessSince > speechlessMs) throw new ProviderFault('timeout', STOPPED);
    }
  } catch (error) {
    throw watch.explain(error);
  } finally {
    // The connection of a whole answer can be used again.
    if (isWhole) watch.end();
    else watch.stop();
    reads.return?.().catch(() => undefined);
  }
}
