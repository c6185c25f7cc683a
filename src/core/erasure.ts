import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { AuditLog } from './audit/log.ts';
import type { RemovedTenant, TenantStore } from './auth/store.ts';
import type { TenantService } from './auth/tenants.ts';
import { fieldOf } from './events/predicates.ts';
import type { AggregatePlan } from './events/query-plan.ts';
import { callerIdSchema } from './events/schema.ts';
import type { EventStore } from './events/store.ts';
import type { ErasedThread } from './executions/store.ts';
import { parse } from './shared/parse.ts';

export const erasureSchema = z.strictObject({
  tenant: z.string().min(1).describe('Name or id.'),
  threadId: callerIdSchema.optional().describe('Only what belongs to this thread.'),
});

/** A store that keeps something of tenants outside the state database. */
export interface Eraser {
  /** What it counts: `events`. Several may count the same. */
  what: string;
  /** Nothing of it belongs to a thread. */
  ofTenantsAlone?: true;
  /** Removes it for good; returns how much there was. Erasing what is not there is no error, and returns 0. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}

export interface ErasureResult {
  tenantId: string;
  tenant: string;
  threadId: string | null;
  /** How much of each kind is gone. */
  erased: Record<string, number>;
}

export interface ErasureParts {
  tenants: TenantService;
  audit: Pick<AuditLog, 'record'>;
  tenantStore: Pick<TenantStore, 'remove'>;
  /** Asked for the executions of a thread before its events go. */
  events: EventStore;
  /** Everything that keeps something of a tenant or of a thread, in the order of erasure. A new store joins here. */
  erasers: Eraser[];
}

/** Removes what is kept of a tenant, or of one of its threads, from every store. Only the operator may. */
export class ErasureService {
  private readonly parts: ErasureParts;

  constructor(parts: ErasureParts) {
    this.parts = parts;
  }

  /** `not_found` for a tenant that is not there. What a failure or a crash leaves undone, the next call does. */
  async erase(input: z.input<typeof erasureSchema>): Promise<ErasureResult> {
    const { tenant: idOrName, threadId } = parse(erasureSchema, input);
    const { id, name } = await this.parts.tenants.get(idOrName);
    const erased = threadId === undefined ? await this.eraseTenant(id) : await this.eraseThread(id, threadId);
    return { tenantId: id, tenant: name, threadId: threadId ?? null, erased };
  }

  /** The tenant itself goes last, so that what was cut off can be found and erased again. */
  private async eraseTenant(tenantId: string): Promise<Record<string, number>> {
    const { tenants, tenantStore, audit } = this.parts;
    tenants.block(tenantId);
    try {
      // Requests that were let in before are on their way to the stores after this.
      await nextTurn();
      const erased = await this.eraseWith(tenantId, null);
      const late = await this.eraseWith(tenantId, null);
      const removed: Partial<RemovedTenant> = (await tenantStore.remove(tenantId)) ?? {};
      const all = { ...sum(erased, late), ...removed };
      // By its id alone: its name goes with it.
      await audit.record(null, null, 'tenant.erased', tenantId, all);
      return all;
    } catch (error) {
      tenants.unblock(tenantId);
      throw error;
    }
  }

  private async eraseThread(tenantId: string, threadId: string): Promise<Record<string, number>> {
    const { events, audit } = this.parts;
    // Once they are gone, nobody can tell of which thread an execution was.
    await events.settle();
    const { rows } = await events.query(tenantId, executionsOf(threadId));
    const erased = await this.eraseWith(tenantId, { threadId, executionIds: rows.map(([id]) => id as string) });
    // Not which thread: that is gone.
    await audit.record(null, tenantId, 'thread.erased', null, erased);
    return erased;
  }

  private async eraseWith(tenantId: string, thread: ErasedThread | null): Promise<Record<string, number>> {
    const erased: Record<string, number> = {};
    for (const { what, erase, ofTenantsAlone } of this.parts.erasers) {
      if (thread && ofTenantsAlone) continue;
      erased[what] = (erased[what] ?? 0) + (await erase(tenantId, thread));
    }
    return erased;
  }
}

/** The executions that the events of a thread name. */
function executionsOf(threadId: string): AggregatePlan {
  const executionId = fieldOf('executionId');
  return {
    kind: 'aggregate',
    selection: {
      agentId: null,
      eventNames: null,
      from: null,
      to: null,
      predicates: [
        { field: fieldOf('threadId'), test: { kind: 'oneOf', values: [threadId] }, negated: false },
        { field: executionId, test: { kind: 'present' }, negated: false },
      ],
    },
    groupBy: [executionId],
    bucket: null,
    metrics: [{ aggregation: 'count', field: null }],
    top: null,
    sort: { by: 'group', index: 0, descending: false },
    limit: null,
    offset: 0,
  };
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(one).map(([what, count]) => [what, count + (other[what] ?? 0)]));
}
