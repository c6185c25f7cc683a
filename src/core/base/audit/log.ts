import { z } from 'zod';
import { ExportLimiter } from '../concurrency/limiter.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { limitSchema, offsetSchema, type Page } from '../shared/paging.ts';
import { responseSchemas } from '../shared/schema-names.ts';
import { resolveRange } from '../time/dates.ts';
import { formatUtc } from '../time/time.ts';
import {
  type Actor,
  type AuditEntry,
  type AuditFilter,
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

const LINES_PER_PAGE = 500;

const dateSchema = z.string().min(1).max(64).optional();

export const auditFilterSchema = z.strictObject({
  action: z.string().min(1).max(100).optional().describe('Only this action, for example `key.created`.'),
  dateFrom: dateSchema.describe('Only entries at or after this time: ISO 8601, or relative as in queries.'),
  dateTo: dateSchema.describe('Only entries before this time; a date without a time includes that day.'),
});
export type AuditFilterQuery = z.output<typeof auditFilterSchema>;

export const auditQuerySchema = auditFilterSchema.extend({
  limit: limitSchema({ default: 50, maximum: 500 }),
  offset: offsetSchema.describe('The number of entries to skip.'),
});
export type AuditQuery = z.output<typeof auditQuerySchema>;

export const auditEntrySchema = z.object({
  id: z.string().describe('Id of the line.'),
  at: z.iso.datetime().describe('When it was done.'),
  actor: z
    .object({
      kind: z.enum(['operator', 'key', 'user']).describe('The command line, an API key or a portal user.'),
      id: z.string().nullable().describe('The id of the key or the user; null for the operator.'),
      label: z.string().describe('The label of the key or the e-mail of the user, as it was then.'),
      client: z.string().optional().describe('The application that acted for the user, with an access token.'),
    })
    .describe('Who did it; for a failed login or a refused request, the name that was tried.'),
  action: z.string().describe('Noun and deed, for example `key.created`.'),
  target: z.string().nullable().describe('Id of what it was done to.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('Facts of the action; `repeated` or `leftOut` where a line stands for several.'),
  address: z
    .string()
    .nullable()
    .describe("The client's address, of IPv6 its /64 network; null for the operator at the command line."),
  requestId: z.string().nullable().describe('The `x-request-id` of the answer; null outside of a request.'),
});
responseSchemas.add(auditEntrySchema, { id: 'AuditEntry' });
type ShownEntry = z.output<typeof auditEntrySchema>;

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

  async entries(caller: Caller, query: AuditQuery): Promise<Page<ShownEntry>> {
    requirePortal(caller, 'administrator');
    const { limit, offset, ...filter } = query;
    const asked = { ...this.filterOf(filter, caller.timezone), limit, offset };
    const { items, total } = await this.parts.store.list({ tenantId: caller.tenantId }, asked);
    return { items: items.map(({ tenantId: _, at, ...entry }) => ({ ...entry, at: formatUtc(at) })), total };
  }

  async export(caller: Caller, query: AuditFilterQuery): Promise<AsyncGenerator<string>> {
    requirePortal(caller, 'administrator');
    const { tenantId, timezone } = caller;
    const lines = auditLines(this.parts.store, { tenantId }, this.filterOf(query, timezone));
    const chunks = this.exports.run(tenantId, lines);
    await this.record(caller, tenantId, 'audit_log.exported', null, query);
    return chunks;
  }

  async exportOf(of: LinesOf, query: AuditFilterQuery, timezone = 'UTC'): Promise<AsyncGenerator<string>> {
    const lines = auditLines(this.parts.store, of, this.filterOf(query, timezone));
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

  private filterOf({ action, ...dates }: AuditFilterQuery, timezone: string): AuditFilter {
    return { action, ...resolveRange(dates, { now: this.parts.effects.now(), timezone }) };
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

export function actorOf(by: Caller | Actor | null): Actor {
  if (by === null) return OPERATOR;
  if ('kind' in by) return by;
  const { credential, label, userId, grant } = by;
  if (grant) return { kind: 'user', id: userId, label, client: grant.client };
  return { ...(credential as Pick<Actor, 'kind' | 'id'>), label };
}

async function* auditLines(store: AuditStore, of: LinesOf, filter: AuditFilter): AsyncGenerator<string> {
  let afterId = '';
  for (;;) {
    const entries = await store.next(of, { ...filter, afterId, limit: LINES_PER_PAGE });
    if (entries.length > 0) yield entries.map(lineOf).join('');
    const last = entries.at(-1);
    if (last === undefined || entries.length < LINES_PER_PAGE) return;
    afterId = last.id;
  }
}

function lineOf(entry: AuditEntry): string {
  const { id, at, ...rest } = entry;
  return `${JSON.stringify({ id, at: formatUtc(at), ...rest })}\n`;
}
