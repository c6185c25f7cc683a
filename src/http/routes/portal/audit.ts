import { z } from 'zod';
import { auditEntrySchema, auditQuerySchema } from '../../../core/audit.ts';
import { fromQueryString, numberFromQueryString } from '../../../core/paging.ts';
import { type Route, route } from '../../route.ts';
import { PORTAL, pageBody, pageShape } from './support.ts';

const { action, limit, offset } = auditQuerySchema.shape;

export const auditRoutes: Route[] = [
  route({
    method: 'get',
    path: `${PORTAL}/audit-log`,
    access: 'portal:administrator',
    tag: 'Portal: audit log',
    summary: 'Read the audit log',
    description: 'Who logged in and who changed what in the tenant, newest first, for the last 400 days.',
    query: z.strictObject({
      action: fromQueryString(action),
      limit: numberFromQueryString(limit),
      offset: numberFromQueryString(offset),
    }),
    responses: {
      200: {
        description: 'One page of lines.',
        schema: z.object({ entries: z.array(auditEntrySchema).describe('The lines.'), ...pageShape }),
      },
    },
    run: async ({ services, caller, query }) => ({
      body: pageBody('entries', await services.audit.entries(caller, query), query),
    }),
  }),
];
