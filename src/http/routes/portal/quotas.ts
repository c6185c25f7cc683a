import { z } from 'zod';
import {
  keyQuotaChangesSchema,
  keyQuotasSchema,
  type QuotaLimits,
  quotaChangesSchema,
  quotasQuerySchema,
  tenantQuotasSchema,
  usageHistoryQuerySchema,
  usageHistorySchema,
} from '../../../core/limits/quotas/schema.ts';
import { quotaVersion } from '../../../core/limits/quotas/settings.ts';
import { type Route, route } from '../../route.ts';
import { pageShape } from '../noun-routes.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const QUOTAS = `${PORTAL}/quotas`;
const OF_KEY = `${PORTAL}/keys/:id/quotas`;
const TAG = 'Portal: quotas';
const byId = z.strictObject({
  id: z.string().describe('The part of the key between `ar_` and the second underscore.'),
});
const NO_KEY = 'There is no such key.';
const versionOf = ({ limits }: { limits: QuotaLimits }) => quotaVersion(limits);
const ADMINISTRATOR = { access: 'portal:administrator', tag: TAG } as const;

export const quotaRoutes: Route[] = [
  route({
    method: 'get',
    path: QUOTAS,
    ...ADMINISTRATOR,
    summary: 'Get quotas and budgets',
    description:
      "The tenant's limits with how much of each is used, and those of the keys that can be used: keys with limits first. The ETag is of the tenant's limits.",
    query: quotasQuerySchema,
    version: ({ tenant }: { tenant: { limits: QuotaLimits } }) => versionOf(tenant),
    responses: {
      200: {
        description: 'The quotas.',
        schema: z.object({
          tenant: tenantQuotasSchema.describe("The tenant's own."),
          keys: z.array(keyQuotasSchema).describe('One page of keys.'),
          ...pageShape,
        }),
      },
    },
    answer: async ({ services, caller, query }) => {
      const { tenant, keys } = await services.quotaAdministration.list(caller, query);
      return { tenant, keys: keys.items, total: keys.total, limit: query.limit, offset: query.offset };
    },
  }),
  route({
    method: 'patch',
    path: QUOTAS,
    access: 'portal:operator',
    stepUp: true,
    tag: TAG,
    summary: "Change the tenant's quotas",
    description:
      'Send only what changes; null removes a quota, 0 allows nothing. It applies within a second. Where there are several tenants, `agent-runtime tenants quota` does it: a tenant cannot lift the limits that its operator has set.',
    version: versionOf,
    body: { schema: quotaChangesSchema, maxBytes: MAX_PORTAL_BYTES },
    responses: { 200: { description: 'The quotas as they are now.', schema: tenantQuotasSchema } },
    answer: ({ services, caller, body, ifMatch }) => services.quotaAdministration.changeTenant(caller, body, ifMatch),
  }),
  route({
    method: 'get',
    path: OF_KEY,
    ...ADMINISTRATOR,
    summary: "Get a key's quotas",
    description: "The key's own limits with how much of each is used. Those of the tenant apply as well.",
    params: byId,
    version: versionOf,
    faults: { 404: NO_KEY },
    responses: { 200: { description: 'The quotas.', schema: keyQuotasSchema } },
    answer: ({ services, caller, params }) => services.quotaAdministration.ofKey(caller, params.id),
  }),
  route({
    method: 'patch',
    path: OF_KEY,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: "Change a key's quotas",
    description: 'Send only what changes; null removes a quota, 0 allows nothing. It applies within a second.',
    params: byId,
    version: versionOf,
    body: { schema: keyQuotaChangesSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 404: NO_KEY },
    responses: { 200: { description: 'The quotas as they are now.', schema: keyQuotasSchema } },
    answer: ({ services, caller, params, body, ifMatch }) =>
      services.quotaAdministration.changeKey(caller, params.id, body, ifMatch),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/usage/history`,
    ...ADMINISTRATOR,
    summary: 'Get what chats used by day',
    description:
      'Tokens or US dollars of the chats of the tenant or of one key, by day in the time zone of the tenant. Usage is counted from when the tenant or the key first has a budget, and kept for 100 days.',
    query: usageHistoryQuerySchema,
    faults: { 404: NO_KEY },
    responses: { 200: { description: 'The days.', schema: usageHistorySchema } },
    answer: ({ services, caller, query }) => services.quotaAdministration.history(caller, query),
  }),
];
