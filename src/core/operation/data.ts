import { z } from 'zod';
import type { TenantService } from '../access/auth/tenants.ts';
import { type AggregatePlan, aggregatePlan } from '../analytics/events/query-plan.ts';
import type { EventStore } from '../analytics/events/store.ts';
import { type Caller, requirePortal } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { responseSchemas } from '../base/shared/schema-names.ts';
import { formatUtc } from '../base/time/time.ts';

export const tenantDataSchema = z.object({
  events: z.int().describe("The tenant's events, as its quota counts them: most of the runtime's own are left out."),
  documentBytes: z.int().describe('The size of its documents in vector stores, also of those being ingested.'),
  deliveryBytes: z.int().describe('The size of messages of alerts and digests that are kept.'),
});
responseSchemas.add(tenantDataSchema, { id: 'TenantData' });

export const olderEventsQuerySchema = z.strictObject({
  days: z
    .int('must be a whole number of days')
    .min(1, 'must be at least 1 day')
    .max(36_500, 'must be at most 36500 days')
    .describe('A retention, in days.'),
});

export const olderEventsSchema = z.object({
  days: z.int().describe('The retention that was asked for.'),
  before: z.iso.datetime().describe('Events with an earlier timestamp are older.'),
  events: z.int().describe("The number of older events, the runtime's own among them."),
});
responseSchemas.add(olderEventsSchema, { id: 'OlderEvents' });

export const STORES_SHOWN = [
  'events',
  'spool',
  'state',
  'vectors',
  'uploads',
  'quarantine',
  'snapshots',
  'logs',
] as const;

export const storageSchema = z.object({
  kind: z.enum(['files', 'nodes']).describe('Everything in a data directory, or in databases that nodes share.'),
  place: z.string().nullable().describe('The data directory; null on nodes.'),
  stores: z
    .array(
      z.object({
        store: z.enum(STORES_SHOWN).describe('What is stored.'),
        bytes: z.int().nullable().describe('Its size on disk; null: unknown, see `note`.'),
        count: z.int().nullable().describe('How many `counted` it has; null: they are not counted.'),
        counted: z.string().nullable().describe('What is counted: "events", "files".'),
        note: z.string().nullable().describe('Why a figure is missing, or where it is.'),
      }),
    )
    .describe('One entry for each store.'),
  disk: z
    .object({
      freeBytes: z.int().describe('What the server may still write.'),
      totalBytes: z.int().describe('The size of the file system.'),
    })
    .nullable()
    .describe('The disk of the data directory; null on nodes.'),
});
responseSchemas.add(storageSchema, { id: 'Storage' });
export type StorageReport = z.output<typeof storageSchema>;
export type StoreSize = StorageReport['stores'][number];

export interface DataParts {
  tenants: Pick<TenantService, 'requireOperator'>;
  events: Pick<EventStore, 'query'>;
  stored: {
    events(tenantId: string): Promise<number>;
    documents(tenantId: string): Promise<number>;
    deliveries(tenantId: string): Promise<number>;
  };
  /** Sizes by store. `tenantId` is the only tenant. */
  measure(tenantId: string): Promise<StorageReport>;
  effects: Pick<Effects, 'now'>;
}

const DAY_MS = 86_400_000;

/** Sizes and counts of what is stored, for the page "Data" of the settings. */
export class DataReports {
  private readonly parts: DataParts;

  constructor(parts: DataParts) {
    this.parts = parts;
  }

  async ofTenant(caller: Caller): Promise<z.output<typeof tenantDataSchema>> {
    requirePortal(caller, 'administrator');
    const { events, documents, deliveries } = this.parts.stored;
    const { tenantId } = caller;
    const sizes = [events(tenantId), documents(tenantId), deliveries(tenantId)];
    const [ofEvents, documentBytes, deliveryBytes] = (await Promise.all(sizes)) as [number, number, number];
    return { events: ofEvents, documentBytes, deliveryBytes };
  }

  /** The events that a retention of so many days would remove. */
  async olderEvents(caller: Caller, { days }: { days: number }): Promise<z.output<typeof olderEventsSchema>> {
    requirePortal(caller, 'administrator');
    const before = this.parts.effects.now() - days * DAY_MS;
    const events = await countEvents(this.parts.events, caller.tenantId, before);
    return { days, before: formatUtc(before), events };
  }

  async storage(caller: Caller): Promise<StorageReport> {
    await this.parts.tenants.requireOperator(caller);
    return this.parts.measure(caller.tenantId);
  }
}

/** Visible events of a tenant with an earlier timestamp, the runtime's own too; null: all. */
export async function countEvents(
  store: Pick<EventStore, 'query'>,
  tenantId: string,
  before: number | null,
): Promise<number> {
  const { rows } = await store.query(tenantId, eventsBefore(before));
  return Number(rows[0]?.[0] ?? 0);
}

function eventsBefore(to: number | null): AggregatePlan {
  return aggregatePlan({
    selection: { agentId: null, eventNames: null, includesOwn: true, from: null, to, predicates: [] },
    groupBy: [],
    metrics: [{ aggregation: 'count', field: null }],
  });
}
