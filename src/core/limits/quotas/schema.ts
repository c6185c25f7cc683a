import { z } from 'zod';
import { responseSchemas } from '../../base/shared/schema-names.ts';
import { QUOTA_NAMES, type QuotaName } from './kinds.ts';

/** Far below 2^53 nano-dollars. */
const MAX_DOLLARS = 1_000_000;

const count = z.int('must be a whole number').min(0, 'must not be negative').nullable();
const dollars = z
  .number('must be an amount in US dollars')
  .min(0, 'must not be negative')
  .max(MAX_DOLLARS, `must be at most ${MAX_DOLLARS}`)
  .nullable();

/** Null removes a quota. */
export const quotaChangesSchema = z.strictObject({
  events: count.optional(),
  documents: count.optional(),
  deliveries: count.optional(),
  'requests-per-minute': z.int('must be a whole number').min(1, 'must be at least 1').nullable().optional(),
  'tokens-per-day': count.optional(),
  'tokens-per-month': count.optional(),
  'cost-per-day': dollars.optional(),
  'cost-per-month': dollars.optional(),
} satisfies Record<QuotaName, z.ZodType>);
export type QuotaChanges = z.output<typeof quotaChangesSchema>;

/** Costs in US dollars, documents and deliveries in bytes. Absent: no limit, or the default. */
export type QuotaLimits = Partial<Record<QuotaName, number>>;

export const quotaUsageSchema = z.object({
  quota: z.enum(QUOTA_NAMES).describe('The name of the quota, which errors use as well.'),
  unit: z.enum(['events', 'bytes', 'requests', 'tokens', 'USD']).describe('The unit that it counts.'),
  limit: z.number().describe('The amount that is allowed: for budgets in a window, for requests in a minute.'),
  used: z.number().describe('The amount that is used.'),
  reserved: z.number().describe('The amount that is set aside for chats that have not ended.'),
  remaining: z.number().describe('The amount that is left; never negative.'),
  windowStart: z.iso.datetime().nullable().describe('When the current window began; null: the quota has none.'),
  windowEnd: z.iso.datetime().nullable().describe('When the next window begins; null: the quota has none.'),
});
responseSchemas.add(quotaUsageSchema, { id: 'QuotaUsage' });
export type QuotaUsage = z.output<typeof quotaUsageSchema>;

export const usageSchema = z.object({
  tenant: z
    .object({
      id: z.string().describe('Id of the tenant.'),
      timezone: z.string().describe('IANA name of the time zone in which its days and months begin.'),
      quotas: z.array(quotaUsageSchema).describe('The quotas that the tenant has.'),
    })
    .describe('What all keys and users of the tenant use together.'),
  key: z
    .object({
      id: z.string().describe('Id of the key.'),
      quotas: z.array(quotaUsageSchema).describe('The quotas that the key has.'),
    })
    .nullable()
    .describe('The key that asks; null for a portal user.'),
});
responseSchemas.add(usageSchema, { id: 'Usage' });
export type Usage = z.output<typeof usageSchema>;
