import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import { post } from '../support.ts';
import { pause } from './measure.ts';

/*
 * Events as applications send them: seeded, of the same kinds as the data sets, and made into
 * bodies cheaply.
 */

export const EVENTS = '/api/v1/runtime/v1/observability/events';

const NAMES = [
  'page_viewed',
  'message_sent',
  'search_performed',
  'product_viewed',
  'cart_updated',
  'purchase_completed',
];
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'ES', 'IT', 'NL', 'PL'];
const PLANS = ['free', 'starter', 'pro', 'enterprise'];

/** Uniform from 0 to 1, deterministic by seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface SentEvent {
  eventName: string;
  threadId: string;
  properties: Record<string, unknown>;
}

export function makeEvent(random: () => number): SentEvent {
  const below = (end: number, skew = 2) => Math.floor(end * random() ** skew);
  const of = (names: string[]) => names[below(names.length)]!;
  const kind = below(NAMES.length, 1.6);
  const common = {
    user_id: `usr_${below(300_000, 2.5)}`,
    country: of(COUNTRIES),
    plan: of(PLANS),
    is_new: random() < 0.3,
  };
  const own =
    kind < 3
      ? {
          url: `https://shop.example.com/c${below(40)}/item-${below(20_000)}`,
          duration_ms: below(8_000, 4),
          utm: { source: 'google', medium: 'cpc' },
        }
      : { amount: below(90_000, 1) / 100, currency: 'EUR', item_count: 1 + below(9), sku: `sku-${below(5_000)}` };
  return { eventName: NAMES[kind]!, threadId: `thr_${below(100_000)}`, properties: { ...common, ...own } };
}

const TEXTS = 5_000;
const random = seeded(42);
const texts = Array.from({ length: TEXTS }, () => JSON.stringify(makeEvent(random)).slice(1));

/** A body of the next events, with or without caller ids. */
export function bodyOf(count: number, ids: boolean): string {
  const events = Array.from({ length: count }, () => {
    const text = texts[Math.floor(random() * TEXTS)]!;
    return ids ? `{"id":"${randomUUID()}",${text}` : `{${text}`;
  });
  return `{"events":[${events.join(',')}]}`;
}

/** A client: a keep-alive pool and the address of the server. */
export interface Sender {
  agent: Agent;
  url: string;
}

/** Sends a batch, retrying while the server is overloaded. Returns the receipt. */
export async function send({ agent, url }: Sender, key: string, body: string): Promise<string> {
  for (;;) {
    try {
      const answer = await post(agent, url + EVENTS, body, { 'x-api-key': key });
      return (JSON.parse(answer) as { receipt: string }).receipt;
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(50);
    }
  }
}

/** Resolves when the events of the receipt can be queried. */
export async function queryable({ agent, url }: Sender, key: string, receipt: string): Promise<void> {
  const question = JSON.stringify({ eventName: 'none', mode: 'aggregate' });
  for (;;) {
    try {
      await post(agent, `${url}${EVENTS}/query`, question, { 'x-api-key': key, 'x-wait-for': receipt });
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /answered (429|503)/.test(error.message);
}

export interface Pace {
  eventsPerSecond: number;
  batch: number;
  ids: boolean;
}

export interface Paced {
  events: number;
  /** Milliseconds from sending a batch to its receipt. */
  acknowledged: number[];
  /** By key. */
  receipts: Map<string, string>;
}

const TICK_MS = 10;
/** Requests in flight at most, so that a slow server is not flooded. */
const MOST_UNDER_WAY = 64;

export const nothingYet = (): Paced => ({ events: 0, acknowledged: [], receipts: new Map() });

/**
 * Sends at a pace, one key after the other, while `goesOn`; resolves when all is acknowledged.
 * `done` shows the progress.
 */
export async function paced(
  sender: Sender,
  keys: string[],
  pace: Pace,
  goesOn: () => boolean,
  done = nothingYet(),
): Promise<Paced> {
  const underWay = new Set<Promise<void>>();
  const started = performance.now();
  const sendOne = async (key: string) => {
    const sent = performance.now();
    done.receipts.set(key, await send(sender, key, bodyOf(pace.batch, pace.ids)));
    done.acknowledged.push(performance.now() - sent);
    done.events += pace.batch;
  };
  let batches = 0;
  while (goesOn()) {
    const due = ((performance.now() - started) / 1_000) * (pace.eventsPerSecond / pace.batch);
    while (batches < due && underWay.size < MOST_UNDER_WAY) {
      const sending: Promise<void> = sendOne(keys[batches++ % keys.length]!).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    await Promise.race([pause(TICK_MS), ...underWay]);
    if (underWay.size > 0) await pause(1);
  }
  await Promise.all(underWay);
  return done;
}
