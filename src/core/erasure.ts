import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Tenant } from './access/auth/schema.ts';
import type { TenantStore } from './access/auth/store.ts';
import type { TenantService } from './access/auth/tenants.ts';
import type { ErasedThread } from './agents/executions/store.ts';
import { fieldOf } from './analytics/events/predicates.ts';
import { type AggregatePlan, aggregatePlan } from './analytics/events/query-plan.ts';
import type { EventStore } from './analytics/events/store.ts';
import type { AuditLog } from './base/audit/log.ts';
import type { Actor } from './base/audit/store.ts';
import { Mutex } from './base/concurrency/mutex.ts';
import { type Caller, requirePortal } from './base/shared/caller.ts';
import { RuntimeError } from './base/shared/errors.ts';
import { callerIdSchema } from './base/shared/name-schemas.ts';
import { parse } from './base/shared/parse.ts';
import { responseSchemas } from './base/shared/schema-names.ts';

export const erasureSchema = z.strictObject({
  tenant: z.string().min(1).describe('Name or id.'),
  threadId: callerIdSchema.optional().describe('Only data of this thread.'),
});

export const ownErasureSchema = z
  .strictObject({
    tenant: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The name of your own tenant, as a confirmation: everything of it is erased, you with it.'),
    threadId: callerIdSchema
      .optional()
      .describe('The thread whose events, executions, reviews and assessments are erased.'),
  })
  .refine(
    ({ tenant, threadId }) => (tenant === undefined) !== (threadId === undefined),
    'needs tenant or threadId, not both',
  );
export type OwnErasure = z.output<typeof ownErasureSchema>;

export const erasedSchema = z.object({
  threadId: z.string().nullable().describe('The thread; null: the whole tenant.'),
  erased: z.record(z.string(), z.int()).describe('The number of erased items by their kind.'),
  resumed: z.boolean().describe('An earlier erasure of the tenant had begun; what it erased is not counted.'),
});
responseSchemas.add(erasedSchema, { id: 'Erased' });

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

/** Who erases in the audit log. Of an erased tenant no e-mail stays there. */
interface ErasedBy {
  ofThread: Caller | null;
  ofTenant: Actor | null;
}

const BY_OPERATOR: ErasedBy = { ofThread: null, ofTenant: null };

export class ErasureService {
  private readonly parts: ErasureParts;
  /** Erasures rewrite files: one at a time. */
  private readonly mutex = new Mutex();

  constructor(parts: ErasureParts) {
    this.parts = parts;
  }

  /** Throws `not_found`. Can be repeated after an interruption: the tenant is removed last. */
  async erase(input: z.input<typeof erasureSchema>): Promise<ErasureResult> {
    const { tenant, threadId } = parse(erasureSchema, input, { strict: true });
    return this.eraseOf(await this.parts.tenants.get(tenant), threadId, BY_OPERATOR);
  }

  /**
   * For administrators a thread of their tenant, for a SUPER_ADMIN who gives its name all of it.
   * Throws `unprocessable` for another name: no other tenant is ever looked up.
   */
  async eraseOwn(caller: Caller, { tenant: typed, threadId }: OwnErasure): Promise<ErasureResult> {
    requirePortal(caller, 'administrator');
    const tenant = await this.parts.tenants.get(caller.tenantId);
    if (threadId === undefined) {
      if (caller.role !== 'SUPER_ADMIN') throw forTheSuperAdmin();
      if (typed !== tenant.name) throw otherName();
    }
    const ofTenant: Actor = { kind: 'user', id: caller.credential.id, label: 'a SUPER_ADMIN of the tenant' };
    return this.eraseOf(tenant, threadId, { ofThread: caller, ofTenant });
  }

  private async eraseOf(
    { id, name }: Pick<Tenant, 'id' | 'name'>,
    threadId: string | undefined,
    by: ErasedBy,
  ): Promise<ErasureResult> {
    const { erased, resumed } = await this.mutex.runExclusive(async () =>
      threadId === undefined
        ? this.eraseTenant(id, by.ofTenant)
        : { erased: await this.eraseThread(id, threadId, by.ofThread), resumed: false },
    );
    return { tenantId: id, tenant: name, threadId: threadId ?? null, erased, resumed };
  }

  private async eraseTenant(tenantId: string, by: Actor | null): Promise<Pick<ErasureResult, 'erased' | 'resumed'>> {
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
      await audit.record(by, null, 'tenant.erased', tenantId, all);
      return { erased: all, resumed };
    } finally {
      await tenants.erasing.end(tenantId, { isErased });
    }
  }

  private async eraseThread(tenantId: string, threadId: string, by: Caller | null): Promise<Record<string, number>> {
    const { events, audit } = this.parts;
    // Only the events name the thread's executions.
    await events.settle();
    const { rows } = await events.query(tenantId, executionsOf(threadId));
    const erased = await this.eraseWith(tenantId, { threadId, executionIds: rows.map(([id]) => id as string) });
    // Without the thread id, which is erased.
    await audit.record(by, tenantId, 'thread.erased', null, erased);
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

function forTheSuperAdmin(): RuntimeError {
  return new RuntimeError(
    'forbidden',
    'Only a SUPER_ADMIN may erase a whole tenant. Erase single threads by threadId.',
  );
}

function otherName(): RuntimeError {
  return new RuntimeError(
    'unprocessable',
    'tenant: is not the name of your tenant; nothing was erased. Type it exactly.',
  );
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
