import { z } from 'zod';
import { cappedSchema, limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { KEY_QUOTAS, type KeyQuota, QUOTA_NAMES, type QuotaName } from './kinds.ts';

/** Far below 2^53 nano-dollars. */
const MAX_DOLLARS = 1_000_000;

const count = z.int('must be a whole number').min(0, 'must not be negative').nullable();
const dollars = z
  .number('must be an amount in US dollars')
  .min(0, 'must not be negative')
  .max(MAX_DOLLARS, `must be at most ${MAX_DOLLARS}`)
  .nullable();

const perMinute = z.int('must be a whole number').min(1, 'must be at least 1').nullable();

/** Null removes a quota. */
export const quotaChangesSchema = z.strictObject({
  events: count.optional().describe('Stored events. Null removes this and every other quota.'),
  documents: count.optional().describe('Bytes of stored documents.'),
  deliveries: count.optional().describe('Bytes of messages that wait to be delivered, in place of 64 MB.'),
  'requests-per-minute': perMinute.optional().describe('Requests a minute, in place of AGENT_RUNTIME_RATE_LIMIT.'),
  'tokens-per-day': count.optional().describe('Tokens of chats in a day.'),
  'tokens-per-month': count.optional().describe('Tokens of chats in a month.'),
  'cost-per-day': dollars.optional().describe('US dollars of chats in a day.'),
  'cost-per-month': dollars.optional().describe('US dollars of chats in a month.'),
} satisfies Record<QuotaName, z.ZodType>);
export type QuotaChanges = z.output<typeof quotaChangesSchema>;

const isKeyQuota = Object.fromEntries(KEY_QUOTAS.map((name) => [name, true])) as Record<KeyQuota, true>;
export const keyQuotaChangesSchema = quotaChangesSchema.pick(isKeyQuota);
requestSchemas.add(quotaChangesSchema, { id: 'QuotaChanges' });
requestSchemas.add(keyQuotaChangesSchema, { id: 'KeyQuotaChanges' });

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

const quotaLimitsSchema = z
  .partialRecord(z.enum(QUOTA_NAMES), z.number())
  .describe('The limits by the name of their quota; without a member, there is no limit or the default.');

const limitedShape = {
  limits: quotaLimitsSchema,
  quotas: z.array(quotaUsageSchema).describe('How much of each limit is used.'),
};

export const tenantQuotasSchema = z.object({
  id: z.string().describe('Id of the tenant.'),
  timezone: z.string().describe('IANA name of the time zone in which its days and months begin.'),
  ...limitedShape,
});
responseSchemas.add(tenantQuotasSchema, { id: 'TenantQuotas' });
export type TenantQuotas = z.output<typeof tenantQuotasSchema>;

export const keyQuotasSchema = z.object({
  id: z.string().describe('Id of the key.'),
  label: z.string().describe('Label of the key.'),
  ...limitedShape,
});
responseSchemas.add(keyQuotasSchema, { id: 'KeyQuotas' });
export type KeyQuotas = z.output<typeof keyQuotasSchema>;

export const quotasQuerySchema = z.strictObject({
  search: z.string().max(200).default('').describe('A part of the label or the id of keys, in any case.'),
  limit: limitSchema({ default: 50, maximum: 500 }),
  offset: offsetSchema.describe('How many keys to pass over.'),
});
export type QuotasQuery = z.output<typeof quotasQuerySchema>;

/** The usage of older days may be incomplete: it is kept for 100 days. */
const MAX_HISTORY_DAYS = 92;

export const usageHistoryQuerySchema = z.strictObject({
  unit: z.enum(['tokens', 'USD'], 'must be tokens or USD').default('tokens').describe('Tokens, or US dollars.'),
  days: cappedSchema(MAX_HISTORY_DAYS)
    .prefault(30)
    .describe(
      `How many days, today included. Default 30; more than ${MAX_HISTORY_DAYS} is capped to ${MAX_HISTORY_DAYS}.`,
    ),
  key: z
    .string()
    .min(1, 'must not be empty')
    .max(100)
    .optional()
    .describe('Id of a key; without it, the whole tenant.'),
});
export type UsageHistoryQuery = z.output<typeof usageHistoryQuerySchema>;

export const usageHistorySchema = z.object({
  unit: z.enum(['tokens', 'USD']).describe('The unit of the amounts.'),
  timezone: z.string().describe('IANA name of the time zone in which the days begin.'),
  days: z
    .array(
      z.object({
        date: z.iso.date().describe('The day, in that time zone.'),
        amount: z.number().describe('What chats that began in it used.'),
      }),
    )
    .describe('Each day, oldest first. Usage is counted from when the tenant or the key first has a budget.'),
  total: z.number().describe('The sum of the amounts.'),
});
responseSchemas.add(usageHistorySchema, { id: 'UsageHistory' });
export type UsageHistory = z.output<typeof usageHistorySchema>;

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
