import { z } from 'zod';
import { formatUtc, resolveRange } from '../events/time.ts';
import { type Caller, requirePortal } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { ExportTurns } from '../shared/export-turns.ts';
import { limitSchema, offsetSchema, type Page } from '../shared/paging.ts';
import { responseSchemas } from '../shared/schema-names.ts';
import { auditLines } from './export.ts';
import { AuditRepeats } from './repeats.ts';
import {
  type Actor,
  type AuditEntry,
  type AuditFilter,
  type AuditStore,
  type LinesOf,
  OPERATOR,
  type Origin,
} from './store.ts';

const dateSchema = z.string().min(1).max(64).optional();

export const auditFilterSchema = z.strictObject({
  action: z.string().min(1).max(100).optional().describe('Only this action, for example `key.created`.'),
  dateFrom: dateSchema.describe('At or after it: ISO 8601, or relative as in queries.'),
  dateTo: dateSchema.describe('Before it; a date without time means through that day.'),
});
export type AuditFilterQuery = z.output<typeof auditFilterSchema>;

export const auditQuerySchema = auditFilterSchema.extend({
  limit: limitSchema({ default: 50, maximum: 500 }),
  offset: offsetSchema.describe('How many to pass over.'),
});
export type AuditQuery = z.output<typeof auditQuerySchema>;

export const auditEntrySchema = z.object({
  id: z.string().describe('Id of the line.'),
  at: z.iso.datetime().describe('When it was done.'),
  actor: z
    .object({
      kind: z.enum(['operator', 'key', 'user']).describe('The command line, an API key or a portal user.'),
      id: z.string().nullable().describe('Of the key or the user; null for the operator.'),
      label: z.string().describe('The label of the key or the e-mail of the user, as it was then.'),
    })
    .describe('Who did it; of a failed login or a refused request, as whom it was tried.'),
  action: z.string().describe('Noun and deed, for example `key.created`.'),
  target: z.string().nullable().describe('Id of what it was done to.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('What belongs to the action; `repeated` or `leftOut` where a line stands for several.'),
  address: z
    .string()
    .nullable()
    .describe("The client's address, of IPv6 its /64 network; null for the operator at the command line."),
  requestId: z.string().nullable().describe('As `x-request-id` of the answer said it; null outside of a request.'),
});
responseSchemas.add(auditEntrySchema, { id: 'AuditEntry' });
type ShownEntry = z.output<typeof auditEntrySchema>;

const DAY_MS = 86_400_000;
/** Lines are kept for so long, by the database, too (migration 0012). */
export const AUDIT_DAYS = 400;
const PRUNE_INTERVAL_MS = 3_600_000;
const COUNT_INTERVAL_MS = 60_000;

export interface AuditParts {
  store: AuditStore;
  effects: Effects;
  /** The request that is under way; none by default. */
  origin?: () => Origin;
  /** A line could not be written. */
  onError: (error: unknown) => void;
}

/** The audit log: what was changed by whom, who logged in, and what was refused. */
export class AuditLog {
  private readonly parts: Required<AuditParts>;
  private readonly repeats = new AuditRepeats();
  private readonly exports = new ExportTurns();
  private counting: NodeJS.Timeout | undefined;
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AuditParts) {
    this.parts = { origin: () => ({ requestId: null, address: null }), ...parts };
  }

  /**
   * Writes a line after the deed. A null `by` is the operator, a null `tenantId` the installation. It never fails: what was
   * done stays done, also when a full disk takes no line about it.
   */
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

  /** The lines of the caller's tenant, newest first. For its administrators. */
  async entries(caller: Caller, query: AuditQuery): Promise<Page<ShownEntry>> {
    requirePortal(caller, 'administrator');
    const { limit, offset, ...filter } = query;
    const asked = { ...this.filterOf(filter, caller.timezone), limit, offset };
    const { items, total } = await this.parts.store.list({ tenantId: caller.tenantId }, asked);
    return { items: items.map(({ tenantId: _, at, ...entry }) => ({ ...entry, at: formatUtc(at) })), total };
  }

  /** The lines of the caller's tenant as NDJSON, oldest first. For its administrators; a line about it is written. */
  async export(caller: Caller, query: AuditFilterQuery): Promise<AsyncGenerator<string>> {
    requirePortal(caller, 'administrator');
    const { tenantId, timezone } = caller;
    const lines = auditLines(this.parts.store, { tenantId }, this.filterOf(query, timezone));
    const chunks = this.exports.take(tenantId, lines);
    await this.record(caller, tenantId, 'audit_log.exported', null, query);
    return chunks;
  }

  /** As `export`, for the operator: of a tenant, of the installation, or all. */
  async exportOf(of: LinesOf, query: AuditFilterQuery, timezone = 'UTC'): Promise<AsyncGenerator<string>> {
    const lines = auditLines(this.parts.store, of, this.filterOf(query, timezone));
    await this.record(null, of === 'all' ? null : of.tenantId, 'audit_log.exported', null, query);
    return lines;
  }

  /** Resolves when the lines are written that stand for repeats so far. */
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

/** Who is meant; null is the operator. */
export function actorOf(by: Caller | Actor | null): Actor {
  if (by === null) return OPERATOR;
  if ('kind' in by) return by;
  return { ...by.credential, label: by.label };
}
