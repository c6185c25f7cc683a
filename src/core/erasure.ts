import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { TenantStore } from './access/auth/store.ts';
import type { TenantService } from './access/auth/tenants.ts';
import type { ErasedThread } from './agents/executions/store.ts';
import { fieldOf } from './analytics/events/predicates.ts';
import { type AggregatePlan, aggregatePlan } from './analytics/events/query-plan.ts';
import type { EventStore } from './analytics/events/store.ts';
import type { AuditLog } from './base/audit/log.ts';
import { callerIdSchema } from './base/shared/name-schemas.ts';
import { parse } from './base/shared/parse.ts';

export const erasureSchema = z.strictObject({
  tenant: z.string().min(1).describe('Name or id.'),
  threadId: callerIdSchema.optional().describe('Only data of this thread.'),
});

/** Erases one kind of data for good and returns the number of items. `what` is not unique. */
export interface Eraser {
  what: string;
  tenantsOnly?: true;
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}

export interface ErasureResult {
  tenantId: string;
  tenant: string;
  threadId: string | null;
  erased: Record<string, number>;
  /** An earlier erasure of the tenant had begun; what it erased is not counted. */
  resumed: boolean;
}

export interface ErasureParts {
  tenants: TenantService;
  audit: Pick<AuditLog, 'record'>;
  tenantStore: Pick<TenantStore, 'remove'>;
  events: EventStore;
  /** In the order of erasure. Add new stores here. */
  erasers: Eraser[];
}

export class ErasureService {
  private readonly parts: ErasureParts;

  constructor(parts: ErasureParts) {
    this.parts = parts;
  }

  /** Throws `not_found`. Can be repeated after an interruption: the tenant is removed last. */
  async erase(input: z.input<typeof erasureSchema>): Promise<ErasureResult> {
    const { tenant: idOrName, threadId } = parse(erasureSchema, input, { strict: true });
    const { id, name } = await this.parts.tenants.get(idOrName);
    const { erased, resumed } =
      threadId === undefined
        ? await this.eraseTenant(id)
        : { erased: await this.eraseThread(id, threadId), resumed: false };
    return { tenantId: id, tenant: name, threadId: threadId ?? null, erased, resumed };
  }

  private async eraseTenant(tenantId: string): Promise<Pick<ErasureResult, 'erased' | 'resumed'>> {
    const { tenants, tenantStore, audit } = this.parts;
    let isErased = false;
    try {
      const resumed = await tenants.erasing.begin(tenantId);
      // Requests that passed the block check before have reached the stores after this.
      await nextTurn();
      const erased = await this.eraseWith(tenantId, null);
      const late = await this.eraseWith(tenantId, null);
      const removed = (await tenantStore.remove(tenantId)) ?? {};
      isErased = true;
      const all = { ...sum(erased, late), ...removed };
      await audit.record(null, null, 'tenant.erased', tenantId, all);
      return { erased: all, resumed };
    } finally {
      await tenants.erasing.end(tenantId, { isErased });
    }
  }

  private async eraseThread(tenantId: string, threadId: string): Promise<Record<string, number>> {
    const { events, audit } = this.parts;
    // Only the events name the thread's executions.
    await events.settle();
    const { rows } = await events.query(tenantId, executionsOf(threadId));
    const erased = await this.eraseWith(tenantId, { threadId, executionIds: rows.map(([id]) => id as string) });
    // Without the thread id, which is erased.
    await audit.record(null, tenantId, 'thread.erased', null, erased);
    return erased;
  }

  private async eraseWith(tenantId: string, thread: ErasedThread | null): Promise<Record<string, number>> {
    const erased: Record<string, number> = {};
    for (const { what, erase, tenantsOnly } of this.parts.erasers) {
      if (thread && tenantsOnly) continue;
      erased[what] = (erased[what] ?? 0) + (await erase(tenantId, thread));
    }
    return erased;
  }
}

function executionsOf(threadId: string): AggregatePlan {
  const executionId = fieldOf('executionId');
  return aggregatePlan({
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
    metrics: [{ aggregation: 'count', field: null }],
    sort: { by: 'group', index: 0, descending: false },
  });
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(one).map(([what, count]) => [what, count + (other[what] ?? 0)]));
}
