import { z } from 'zod';
import { AUDIT_DAYS } from '../../../core/base/audit/log.ts';
import {
  type AuditFormat,
  auditEntrySchema,
  auditExportQuerySchema,
  auditQuerySchema,
  MAX_COUNTED_LINES,
} from '../../../core/base/audit/schema.ts';
import { type Route, route } from '../../route.ts';
import { pageShape } from '../noun-routes.ts';
import { PORTAL } from './login-answer.ts';

const AUDIT_LOG = `${PORTAL}/audit-log`;
const TAG = 'Portal: audit log';
const CONTENT_TYPES: Record<AuditFormat, string> = { ndjson: 'application/x-ndjson', csv: 'text/csv' };

export const auditRoutes: Route[] = [
  route({
    method: 'get',
    path: AUDIT_LOG,
    access: 'portal:administrator',
    tag: TAG,
    summary: 'Read the audit log',
    description: `Who logged in, who changed or exported what in the tenant and what was refused, newest first, for the last ${AUDIT_DAYS} days.`,
    query: auditQuerySchema,
    responses: {
      200: {
        description: 'One page of lines.',
        schema: z.object({
          entries: z.array(auditEntrySchema).describe('The lines.'),
          ...pageShape,
          total: z.int().describe(`The number of matching lines; counts at most ${MAX_COUNTED_LINES}.`),
          older: z.string().nullable().describe('For `before`: the page of older lines; null: there are none.'),
          newer: z.string().nullable().describe('For `after`: the page of newer lines; null: there are none.'),
        }),
      },
    },
    answer: async ({ services, caller, query }) => {
      const { items: entries, total, older, newer } = await services.audit.entries(caller, query);
      return { entries, total, limit: query.limit, offset: query.offset, older, newer };
    },
  }),
  route({
    method: 'get',
    path: `${AUDIT_LOG}/export`,
    access: 'portal:administrator',
    tag: TAG,
    summary: 'Export the audit log',
    description:
      'Every matching line as NDJSON or CSV, oldest first. Sent as it is read; a client that takes nothing for 30 seconds is disconnected. The export itself becomes a line.',
    query: auditExportQuerySchema,
    faults: { 503: 'Too many exports are under way; see Retry-After.' },
    responses: {
      200: {
        description:
          'NDJSON: one line each, with the members of an entry and `tenantId`. CSV: a header, then one each.',
        content: {
          'application/x-ndjson': z.string().describe('One JSON object a line.'),
          'text/csv': z.string().describe('Details are JSON in one column.'),
        },
        headers: { 'content-disposition': 'The name of a file.' },
      },
    },
    run: async ({ services, caller, query }) => ({
      stream: { contentType: CONTENT_TYPES[query.format], chunks: await services.audit.export(caller, query) },
      headers: { 'content-disposition': `attachment; filename="audit-log.${query.format}"` },
    }),
  }),
];
