import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Page, pageWithin } from '../../base/shared/paging.ts';

/** The key that tells a stored definition from the one before it, without reading it. */
export interface Stamp {
  key: string;
  /** Epoch milliseconds. */
  changedAt: number;
  /** UTF-8 of its JSON. */
  bytes: number;
}

interface Parts<Stored, Summary> {
  /** The stored definitions with these keys; missing ones are left out. */
  read(tenantId: string, keys: string[]): Promise<Stored[]>;
  keyOf(stored: Stored): string;
  summaryOf(stored: Stored): Summary;
}

interface Kept<Summary> extends Stamp {
  summary: Summary;
}

const MAX_TENANTS = 1_000;
/** Definitions that one turn of the event loop reads and parses. */
const TURN = { items: 64, bytes: 512 * 1024 };

/**
 * The summaries of definitions that may have megabytes together, for lists and searches. Each
 * definition is read once for each of its changes, and many of them in several turns of the event
 * loop.
 */
export class Summaries<Stored, Summary> {
  private readonly parts: Parts<Stored, Summary>;
  private readonly known = new LRUCache<string, Map<string, Kept<Summary>>>({ max: MAX_TENANTS });

  constructor(parts: Parts<Stored, Summary>) {
    this.parts = parts;
  }

  /** In the order of the stamps; one that was removed is left out. */
  async of(tenantId: string, stamps: readonly Stamp[]): Promise<Summary[]> {
    const before = this.known.get(tenantId);
    const isKnown = ({ key, changedAt, bytes }: Stamp) => {
      const kept = before?.get(key);
      return kept?.changedAt === changedAt && kept.bytes === bytes;
    };
    const summaries = new Map<string, Kept<Summary>>();
    for (const stamp of stamps) if (isKnown(stamp)) summaries.set(stamp.key, before!.get(stamp.key)!);
    const missing = new Map(stamps.filter((stamp) => !isKnown(stamp)).map((stamp) => [stamp.key, stamp]));
    for (const turn of turnsOf([...missing.values()])) {
      for (const stored of await this.parts.read(
        tenantId,
        turn.map(({ key }) => key),
      )) {
        const key = this.parts.keyOf(stored);
        summaries.set(key, { ...missing.get(key)!, summary: this.parts.summaryOf(stored) });
      }
      await nextTurn();
    }
    this.known.set(tenantId, summaries);
    return stamps.flatMap(({ key }) => summaries.get(key)?.summary ?? []);
  }

  /** After a change in this process, which may have the time and the size of the one before. */
  forget(tenantId: string, key: string): void {
    this.known.get(tenantId)?.delete(key);
  }
}

/** In the order of the stamps: all of the tenant, or those with these keys. */
export async function pageOfKeys<Stored>(
  store: {
    stamps(tenantId: string): Promise<Stamp[]>;
    some(tenantId: string, keys: string[]): Promise<Stored[]>;
  },
  tenantId: string,
  keys: readonly string[] | undefined,
  page: { limit: number; offset: number },
): Promise<Page<Stored>> {
  const asked = keys && new Set(keys);
  const stamps = (await store.stamps(tenantId)).filter(({ key }) => asked?.has(key) !== false);
  const { items, total } = pageWithin(stamps, page);
  const found = items.map(({ key }) => key);
  return { items: await store.some(tenantId, found), total };
}

function* turnsOf(stamps: readonly Stamp[]): Generator<Stamp[]> {
  let turn: Stamp[] = [];
  let bytes = 0;
  for (const stamp of stamps) {
    if (turn.length > 0 && (turn.length >= TURN.items || bytes + stamp.bytes > TURN.bytes)) {
      yield turn;
      [turn, bytes] = [[], 0];
    }
    turn.push(stamp);
    bytes += stamp.bytes;
  }
  if (turn.length > 0) yield turn;
}
