import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Tenant } from './access/auth/schema.ts';
import type { TenantStore } from './access/auth/store.ts';
import type { TenantService } from './access/auth/tenants.ts';
import type { ErasedConversations } from './agents/executions/store.ts';
import { fieldOf, type Predicate } from './analytics/events/predicates.ts';
import { aggregatePlan } from './analytics/events/query-plan.ts';
import type { EventStore } from './analytics/events/store.ts';
import type { AuditLog } from './base/audit/log.ts';
import type { Actor } from './base/audit/store.ts';
import { Mutex } from './base/concurrency/mutex.ts';
import { type Caller, requirePortal } from './base/shared/caller.ts';
import { forbidden, type RuntimeError, unprocessable } from './base/shared/errors.ts';
import { callerIdSchema } from './base/shared/name-schemas.ts';
import { parse } from './base/shared/parse.ts';
import { responseSchemas } from './base/shared/schema-names.ts';

export const erasureSchema = z
  .strictObject({
    tenant: z.string().min(1).describe('Name or id.'),
    threadId: callerIdSchema.optional().describe('Only data of this thread.'),
    userId: callerIdSchema.optional().describe('Only data of this end user.'),
  })
  .refine(
    ({ threadId, userId }) => threadId === undefined || userId === undefined,
    'needs threadId or userId, not both',
  );

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
    userId: callerIdSchema
      .optional()
      .describe('The end user whose executions and threads are erased, by the id that your application uses.'),
  })
  .refine(
    ({ tenant, threadId, userId }) => [tenant, threadId, userId].filter((one) => one !== undefined).length === 1,
    'needs one of tenant, threadId and userId',
  );
export type OwnErasure = z.output<typeof ownErasureSchema>;

export const erasedSchema = z.object({
  threadId: z.string().nullable().describe('The thread. Null beside a userId of null: the whole tenant.'),
  userId: z.string().nullable().describe('The end user.'),
  erased: z.record(z.string(), z.int()).describe('The number of erased items by their kind.'),
  resumed: z.boolean().describe('An earlier erasure of the tenant had begun; what it erased is not counted.'),
});
responseSchemas.add(erasedSchema, { id: 'Erased' });

/** Erases one kind of data for good and returns the number of items. `what` is not unique. */
export interface Eraser {
  what: string;
  tenantsOnly?: true;
  /** Everything of the tenant is erased for null. */
  erase(tenantId: string, some: ErasedConversations | null): Promise<number>;
}

type ErasedPart = { threadId: string; userId: null } | { threadId: null; userId: string };
const WHOLE = { threadId: null, userId: null };

export interface ErasureResult extends z.output<typeof erasedSchema> {
  tenantId: string;
  tenant: string;
}

export interface ErasureParts {
  tenants: TenantService;
  audit: Pick<AuditLog, 'record'>;
  tenantStore: Pick<TenantStore, 'remove'>;
  events: EventStore;
  /** Pages of what is erased of an end user. */
  conversationsOf(tenantId: string, userId: string): AsyncIterable<ErasedConversations>;
  /** In the order of erasure. Add new stores here. */
  erasers: Eraser[];
}

/** Who erases in the audit log. Of an erased tenant no e-mail stays there. */
interface ErasedBy {
  ofPart: Caller | null;
  ofTenant: Actor | null;
}

/** Events of executions that have their `userId`, and how many executions are erased at once. */
const LEFT = {
  eventNames: ['runtime.execution_completed', 'runtime.chat_completed', 'runtime.chat_failed'],
  limit: 1_000,
};

const BY_OPERATOR: ErasedBy = { ofPart: null, ofTenant: null };

export class ErasureService {
  private readonly parts: ErasureParts;
  /** Erasures rewrite files: one at a time. */
  private readonly mutex = new Mutex();

  constructor(parts: ErasureParts) {
    this.parts = parts;
  }

  /** Throws `not_found`. Can be repeated after an interruption: the tenant is removed last. */
  async erase(input: z.input<typeof erasureSchema>): Promise<ErasureResult> {
    const { tenant, ...part } = parse(erasureSchema, input, { strict: true });
    return this.eraseOf(await this.parts.tenants.get(tenant), partOf(part), BY_OPERATOR);
  }

  /**
   * For administrators a thread or an end user of their tenant, for a SUPER_ADMIN who gives its
   * name all of it. Throws `unprocessable` for another name: no other tenant is ever looked up.
   */
  async eraseOwn(caller: Caller, { tenant: typed, ...given }: OwnErasure): Promise<ErasureResult> {
    requirePortal(caller, 'administrator');
    const tenant = await this.parts.tenants.get(caller.tenantId);
    const part = partOf(given);
    if (part === null) {
      if (caller.role !== 'SUPER_ADMIN') throw forTheSuperAdmin();
      if (typed !== tenant.name) throw otherName();
    }
    const ofTenant: Actor = { kind: 'user', id: caller.credential.id, label: 'a SUPER_ADMIN of the tenant' };
    return this.eraseOf(tenant, part, { ofPart: caller, ofTenant });
  }

  private async eraseOf(
    { id, name }: Pick<Tenant, 'id' | 'name'>,
    part: ErasedPart | null,
    by: ErasedBy,
  ): Promise<ErasureResult> {
    const { erased, resumed } = await this.mutex.runExclusive(async () =>
      part === null
        ? this.eraseTenant(id, by.ofTenant)
        : { erased: await this.erasePart(id, part, by.ofPart), resumed: false },
    );
    return { tenantId: id, tenant: name, ...(part ?? WHOLE), erased, resumed };
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

  private async erasePart(tenantId: string, part: ErasedPart, by: Caller | null): Promise<Record<string, number>> {
    const { threadId, userId } = part;
    const erased =
      userId === null
        ? await this.eraseSome(tenantId, { threadIds: [threadId], executionIds: [], userId })
        : await this.eraseUser(tenantId, userId);
    // Without the id, which is erased.
    await this.parts.audit.record(by, tenantId, userId === null ? 'thread.erased' : 'end_user.erased', null, erased);
    return erased;
  }

  private async eraseUser(tenantId: string, userId: string): Promise<Record<string, number>> {
    const { events, conversationsOf } = this.parts;
    let erased: Record<string, number> = {};
    for await (const some of conversationsOf(tenantId, userId)) {
      erased = sum(await this.eraseSome(tenantId, some), erased);
    }
    // Events of executions that expired, and those that were on their way.
    for (;;) {
      const executionIds = await this.executionsIn(tenantId, isOneOf('userId', [userId]), LEFT);
      erased = sum(await this.eraseWith(tenantId, { threadIds: [], executionIds, userId }), erased);
      const left = await events.erase(tenantId, { executionIds, inAnyThread: true });
      erased.events = (erased.events ?? 0) + left;
      if (executionIds.length < LEFT.limit) return erased;
    }
  }

  /** With what only the events of its threads name. */
  private async eraseSome(tenantId: string, some: ErasedConversations): Promise<Record<string, number>> {
    const { threadIds, executionIds } = some;
    const named = threadIds.length === 0 ? [] : await this.executionsIn(tenantId, isOneOf('threadId', threadIds));
    return this.eraseWith(tenantId, { ...some, executionIds: [...executionIds, ...named] });
  }

  private async eraseWith(tenantId: string, some: ErasedConversations | null): Promise<Record<string, number>> {
    const erased: Record<string, number> = {};
    for (const { what, erase, tenantsOnly } of this.parts.erasers) {
      if (some && tenantsOnly) continue;
      erased[what] = (erased[what] ?? 0) + (await erase(tenantId, some));
    }
    return erased;
  }

  /** The ids of executions that such events name. */
  private async executionsIn(
    tenantId: string,
    such: Predicate,
    { eventNames, limit }: { eventNames: string[] | null; limit: number | null } = { eventNames: null, limit: null },
  ): Promise<string[]> {
    const { events } = this.parts;
    const executionId = fieldOf('executionId');
    const isNamed: Predicate = { field: executionId, test: { kind: 'present' }, negated: false };
    const plan = aggregatePlan({
      selection: { agentId: null, eventNames, from: null, to: null, predicates: [such, isNamed] },
      groupBy: [executionId],
      metrics: [{ aggregation: 'count', field: null }],
      sort: { by: 'group', index: 0, descending: false },
      limit,
    });
    await events.settle();
    const { rows } = await events.query(tenantId, plan);
    return rows.map(([id]) => id as string);
  }
}

function isOneOf(field: string, values: string[]): Predicate {
  return { field: fieldOf(field), test: { kind: 'oneOf', values }, negated: false };
}

/** The answer null is the whole tenant. */
function partOf({ threadId, userId }: Pick<OwnErasure, 'threadId' | 'userId'>): ErasedPart | null {
  if (threadId !== undefined) return { threadId, userId: null };
  return userId === undefined ? null : { threadId: null, userId };
}

function forTheSuperAdmin(): RuntimeError {
  return forbidden(
    'Only a SUPER_ADMIN may erase a whole tenant. Erase single threads by threadId, end users by userId.',
  );
}

function otherName(): RuntimeError {
  return unprocessable('tenant: is not the name of your tenant; nothing was erased. Type it exactly.');
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(one).map(([what, count]) => [what, count + (other[what] ?? 0)]));
}
