import { z } from 'zod';
import { AUDIT_DAYS, auditEntrySchema, auditFilterSchema, auditQuerySchema } from '../../../core/base/audit/log.ts';
import { type Route, route } from '../../route.ts';
import { pagedRoute } from '../noun-routes.ts';
import { PORTAL } from './support.ts';

export const auditRoutes: Route[] = [
  pagedRoute({
    path: `${PORTAL}/audit-log`,
    access: 'portal:administrator',
    tag: 'Portal: audit log',
    summary: 'Read the audit log',
    description: `Who logged in, who changed or exported what in the tenant and what was refused, newest first, for the last ${AUDIT_DAYS} days.`,
    query: auditQuerySchema,
    page: 'One page of lines.',
    member: ['entries', z.array(auditEntrySchema).describe('The lines.')],
    list: ({ services, caller, query }) => services.audit.entries(caller, query),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/audit-log/export`,
    access: 'portal:administrator',
    tag: 'Portal: audit log',
    summary: 'Export the audit log',
    description:
      'Every matching line as NDJSON, oldest first. Sent as it is read; a client that takes nothing for 30 seconds is disconnected. The export itself becomes a line.',
    query: auditFilterSchema,
    faults: { 503: 'Too many exports are under way; see Retry-After.' },
    responses: {
      200: {
        description: 'One line each, with the members of an entry and `tenantId`.',
        content: { 'application/x-ndjson': z.string().describe('One JSON object a line.') },
      },
    },
    run: async ({ services, caller, query }) => ({
      stream: { contentType: 'application/x-ndjson', chunks: await services.audit.export(caller, query) },
    }),
  }),
];
