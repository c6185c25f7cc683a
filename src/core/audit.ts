import { z } from 'zod';
import { type Caller, requirePortal } from './caller.ts';
import type { Effects } from './effects.ts';
import { formatUtc } from './events/time.ts';
import { limitSchema, offsetSchema, type Page } from './paging.ts';

/** Who did something: the operator at the command line, an API key, or a portal user. */
export interface Actor {
  kind: 'operator' | 'key' | 'user';
  /** Of the key or the user; null for the operator. */
  id: string | null;
  label: string;
}

/** Whoever works on the data directory itself. */
export const OPERATOR: Actor = { kind: 'operator', id: null, label: 'operator' };

/** One line of the audit log. Never holds a secret. */
export interface AuditEntry {
  id: string;
  tenantId: string;
  /** Epoch milliseconds. */
  at: number;
  actor: Actor;
  /** Noun and deed: `key.created`, `user.updated`, `settings.updated`, `login.failed`, ... */
  action: string;
  /** Id of what it was done to. */
  target: string | null;
  details: Record<string, unknown>;
}

/** What was changed by whom, by tenant. Lines are only ever added, and removed when they are old or too many. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first, by id: ids are made in the order of time. */
  list(
    tenantId: string,
    asked: { action: string | undefined; limit: number; offset: number },
  ): Promise<Page<AuditEntry>>;
  /** Removes what is from before that time, and of each action's others all but the newest `keep`. Says how many went. */
  prune(tenantId: string, bounds: { before: number; keep: number }): Promise<number>;
}

export const auditQuerySchema = z.strictObject({
  action: z.string().min(1).max(100).optional().describe('Only this action, for example `key.created`.'),
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
    .describe('Who did it; of a failed login, as whom it was tried.'),
  action: z.string().describe('Noun and deed, for example `key.created`.'),
  target: z.string().nullable().describe('Id of what it was done to.'),
  details: z.record(z.string(), z.unknown()).describe('What belongs to the action.'),
});
type ShownEntry = z.output<typeof auditEntrySchema>;

const DAY_MS = 86_400_000;
/** Of each action: what anybody may cause as often as they like must not push out the rest. */
const KEPT = { days: 400, entries: 20_000 };
/** Tidying costs a look at every line: now and then is enough. */
const RECORDS_PER_PRUNE = 1_000;
const PRUNE_INTERVAL_MS = 3_600_000;

export interface AuditParts {
  store: AuditStore;
  effects: Effects;
  /** A line could not be written. */
  onError: (error: unknown) => void;
}

/** The audit log: what was changed by whom, and who logged in. */
export class AuditLog {
  private readonly parts: AuditParts;
  /** Since it was last tidied: how many lines, and when that was. */
  private readonly sincePrune = new Map<string, { records: number; at: number }>();

  constructor(parts: AuditParts) {
    this.parts = parts;
  }

  /**
   * Writes a line after the deed; null is the operator. It never fails: what was done stays done, also when a full disk
   * takes no line about it.
   */
  async record(
    by: Caller | Actor | null,
    tenantId: string,
    action: string,
    target: string | null,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const { store, effects, onError } = this.parts;
    try {
      const actor = actorOf(by);
      await store.append({ id: effects.newId(), tenantId, at: effects.now(), actor, action, target, details });
      await this.pruneNowAndThen(tenantId);
    } catch (error) {
      onError(error);
    }
  }

  /** The lines of the caller's tenant, newest first. For its administrators. */
  async entries(caller: Caller, query: AuditQuery): Promise<Page<ShownEntry>> {
    requirePortal(caller, 'administrator');
    const { action, limit, offset } = query;
    const { items, total } = await this.parts.store.list(caller.tenantId, { action, limit, offset });
    return { items: items.map(({ tenantId: _, at, ...entry }) => ({ ...entry, at: formatUtc(at) })), total };
  }

  private async pruneNowAndThen(tenantId: string): Promise<void> {
    const { store, effects } = this.parts;
    const now = effects.now();
    const since = this.sincePrune.get(tenantId);
    if (since && since.records < RECORDS_PER_PRUNE && now - since.at < PRUNE_INTERVAL_MS) {
      since.records += 1;
      return;
    }
    this.sincePrune.set(tenantId, { records: 0, at: now });
    await store.prune(tenantId, { before: now - KEPT.days * DAY_MS, keep: KEPT.entries });
  }
}

/** Who is meant; null is the operator. */
export function actorOf(by: Caller | Actor | null): Actor {
  if (by === null) return OPERATOR;
  if ('kind' in by) return by;
  return { ...by.credential, label: by.label };
}
