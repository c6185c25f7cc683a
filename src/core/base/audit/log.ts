import { ExportLimiter } from '../concurrency/limiter.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid } from '../shared/errors.ts';
import type { Page } from '../shared/paging.ts';
import { resolveRange } from '../time/dates.ts';
import { formatUtc } from '../time/time.ts';
import { auditLines } from './lines.ts';
import type { AuditExportQuery, AuditFilterQuery, AuditQuery, ShownEntry } from './schema.ts';
import {
  type Actor,
  type AuditEntry,
  type AuditFilter,
  type AuditPlace,
  type AuditStore,
  type LinesOf,
  OPERATOR,
  type Origin,
} from './store.ts';

/** Clients can repeat these at will: repeats within a minute become one line with a count. */
const REPEATABLE = new Set([
  'login.failed',
  'login.succeeded',
  'request.refused',
  'events.exported',
  'training_data.exported',
  'audit_log.exported',
]);

/** Lines per actor, action and minute. */
const MAX_DIFFERENT = 10;

interface Repeats {
  byContent: Map<string, { entry: AuditEntry; repeated: number }>;
  leftOut: number;
}

export class AuditRepeats {
  private byActor = new Map<string, Repeats>();

  get isEmpty(): boolean {
    return this.byActor.size === 0;
  }

  /** False if the line is counted instead. */
  admit(entry: AuditEntry): boolean {
    const { tenantId, actor, action, target, address, details } = entry;
    if (!REPEATABLE.has(action)) return true;
    const key = JSON.stringify([tenantId, actor.kind, actor.id, actor.client, action]);
    const repeats: Repeats = this.byActor.get(key) ?? { byContent: new Map(), leftOut: 0 };
    this.byActor.set(key, repeats);
    const content = JSON.stringify([target, address, details]);
    const known = repeats.byContent.get(content);
    if (known) known.repeated += 1;
    else if (repeats.byContent.size < MAX_DIFFERENT) repeats.byContent.set(content, { entry, repeated: 0 });
    else repeats.leftOut += 1;
    return known === undefined && repeats.leftOut === 0;
  }

  take(): Omit<AuditEntry, 'id' | 'at'>[] {
    const counts = [...this.byActor.values()].flatMap(({ byContent, leftOut }) => {
      const seen = [...byContent.values()];
      const repeated = seen
        .filter((one) => one.repeated > 0)
        .map((one) => ({ ...one.entry, requestId: null, details: { ...one.entry.details, repeated: one.repeated } }));
      if (leftOut === 0) return repeated;
      const { tenantId, actor, action } = seen[0]!.entry;
      const rest = { tenantId, actor, action, target: null, address: null, requestId: null, details: { leftOut } };
      return [...repeated, rest];
    });
    this.byActor = new Map();
    return counts;
  }
}

const DAY_MS = 86_400_000;
/** The database enforces it, too, with triggers. */
export const AUDIT_DAYS = 400;
const PRUNE_INTERVAL_MS = 3_600_000;
const COUNT_INTERVAL_MS = 60_000;

export interface AuditParts {
  store: AuditStore;
  effects: Effects;
  origin: () => Origin;
  onError: (error: unknown) => void;
}

interface ShownLines extends Page<ShownEntry> {
  /** For `before`: lines that are older than these; null: there are none. */
  older: string | null;
  /** For `after`. */
  newer: string | null;
}

export class AuditLog {
  private readonly parts: AuditParts;
  private readonly repeats = new AuditRepeats();
  private readonly exports = new ExportLimiter();
  private counting: NodeJS.Timeout | undefined;
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AuditParts) {
    this.parts = parts;
  }

  /** Null for the operator or the installation. Never throws: a failed write calls `onError`. */
  async record(
    by: Caller | Actor | null,
    tenantId: string | null,
    action: string,
    target: string | null,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const { effects, origin } = this.parts;
    const { requestId, address } = origin();
    const entry = { tenantId, actor: actorOf(by), action, target, details, address, requestId };
    const line = { id: effects.newId(), at: effects.now(), ...entry };
    const isWritten = this.repeats.admit(line);
    this.countSoon();
    if (isWritten) await this.append(line);
  }

  async entries(caller: Caller, query: AuditQuery): Promise<ShownLines> {
    requirePortal(caller, 'administrator');
    const { limit, offset, before, after, ...filter } = query;
    if (before !== undefined && after !== undefined) throw invalid('before, after: give one of them');
    const asked = { ...this.filterOf(filter, caller.timezone), limit, offset };
    const cursor = { before: placeOf(before), after: placeOf(after) };
    const { items, total, hasMore } = await this.parts.store.list(
      { tenantId: caller.tenantId },
      { ...asked, ...cursor },
    );
    const [first, last] = [items[0], items.at(-1)];
    const hasOlder = after === undefined ? hasMore : items.length > 0;
    const hasNewer = after === undefined ? before !== undefined || offset > 0 : hasMore;
    return {
      items: items.map(({ tenantId: _, at, ...entry }) => ({ ...entry, at: formatUtc(at) })),
      total,
      older: last && hasOlder ? cursorOf(last) : null,
      newer: first && hasNewer ? cursorOf(first) : null,
    };
  }

  async export(caller: Caller, query: AuditExportQuery): Promise<AsyncGenerator<string>> {
    requirePortal(caller, 'administrator');
    const { tenantId, timezone } = caller;
    const { format = 'ndjson', ...filter } = query;
    const lines = auditLines(this.parts.store, { tenantId }, { ...this.filterOf(filter, timezone), format });
    const chunks = this.exports.run(tenantId, lines);
    await this.record(caller, tenantId, 'audit_log.exported', null, filter);
    return chunks;
  }

  async exportOf(of: LinesOf, query: AuditFilterQuery, timezone = 'UTC'): Promise<AsyncGenerator<string>> {
    const lines = auditLines(this.parts.store, of, { ...this.filterOf(query, timezone), format: 'ndjson' });
    await this.record(null, of === 'all' ? null : of.tenantId, 'audit_log.exported', null, query);
    return lines;
  }

  /** Writes the counts of repeats so far. */
  async settled(): Promise<void> {
    clearTimeout(this.counting);
    this.counting = undefined;
    const { effects } = this.parts;
    for (const count of this.repeats.take()) {
      await this.append({ ...count, id: effects.newId(), at: effects.now() });
    }
  }

  private filterOf({ dateFrom, dateTo, ...same }: AuditFilterQuery, timezone: string): AuditFilter {
    return { ...same, ...resolveRange({ dateFrom, dateTo }, { now: this.parts.effects.now(), timezone }) };
  }

  private countSoon(): void {
    if (this.repeats.isEmpty) return;
    this.counting ??= setTimeout(() => void this.settled(), COUNT_INTERVAL_MS).unref();
  }

  private async append(entry: AuditEntry): Promise<void> {
    const { store, effects, onError } = this.parts;
    try {
      await store.append(entry);
      const now = effects.now();
      if (now - this.prunedAt < PRUNE_INTERVAL_MS) return;
      this.prunedAt = now;
      await store.prune(now - AUDIT_DAYS * DAY_MS);
    } catch (error) {
      onError(error);
    }
  }
}

function cursorOf({ at, id }: AuditPlace): string {
  return `${at}.${id}`;
}

/** The schema has checked it. */
function placeOf(cursor: string | undefined): AuditPlace | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = cursor.split('.') as [string, string];
  return { at: Number(at), id };
}

export function actorOf(by: Caller | Actor | null): Actor {
  if (by === null) return OPERATOR;
  if ('kind' in by) return by;
  const { credential, label, userId, grant } = by;
  if (grant) return { kind: 'user', id: userId, label, client: grant.client };
  return { ...(credential as Pick<Actor, 'kind' | 'id'>), label };
}
