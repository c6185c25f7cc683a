import { z } from 'zod';
import { cappedOffsetSchema, limitSchema } from '../shared/paging.ts';
import { responseSchemas } from '../shared/schema-names.ts';

export const AUDIT_FORMATS = ['ndjson', 'csv'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

const dateSchema = z.string().min(1).max(64).optional();

export const auditFilterSchema = z.strictObject({
  action: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only this action, for example `key.created`; with a period at its end, all on one noun: `key.`.'),
  actor: z
    .string()
    .min(1, 'must not be empty')
    .max(320)
    .optional()
    .describe('Only of the user or key with this id or, as it was then, this e-mail or label; `operator` is one.'),
  target: z.string().min(1, 'must not be empty').max(200).optional().describe('Only what was done to this id.'),
  dateFrom: dateSchema.describe('Only entries at or after this time: ISO 8601, or relative as in queries.'),
  dateTo: dateSchema.describe('Only entries before this time; a date without a time includes that day.'),
});
export type AuditFilterQuery = z.output<typeof auditFilterSchema>;

export const auditExportQuerySchema = auditFilterSchema.extend({
  format: z.enum(AUDIT_FORMATS, 'must be ndjson or csv').default('ndjson').describe('NDJSON or CSV.'),
});
export type AuditExportQuery = Partial<z.output<typeof auditExportQuerySchema>>;

const cursorSchema = z
  .string()
  .regex(/^\d{1,16}\.[\w-]{1,64}$/, 'must be `older` or `newer` of an answer')
  .optional();

/** Counting more would make every page slow. */
export const MAX_COUNTED_LINES = 10_000;

export const auditQuerySchema = auditFilterSchema.extend({
  limit: limitSchema({ default: 50, maximum: 500 }),
  offset: cappedOffsetSchema(MAX_COUNTED_LINES, 'send `before` instead').describe(
    'The number of entries to skip. `before` and `after` reach all, and stay where they are.',
  ),
  before: cursorSchema.describe('Only entries before the place that `older` of an answer names.'),
  after: cursorSchema.describe('Only the entries next after the place that `newer` of an answer names.'),
});
/** Filters that are absent need not be named. */
export type AuditQuery = Partial<z.output<typeof auditQuerySchema>> & { limit: number; offset: number };

export const auditEntrySchema = z.object({
  id: z.string().describe('Id of the line.'),
  at: z.iso.datetime().describe('When it was done.'),
  actor: z
    .object({
      kind: z.enum(['operator', 'key', 'user']).describe('The command line, an API key or a portal user.'),
      id: z.string().nullable().describe('The id of the key or the user; null for the operator.'),
      label: z.string().describe('The label of the key or the e-mail of the user, as it was then.'),
      client: z.string().optional().describe('The application that acted for the user, with an access token.'),
    })
    .describe('Who did it; for a failed login or a refused request, the name that was tried.'),
  action: z.string().describe('Noun and deed, for example `key.created`.'),
  target: z.string().nullable().describe('Id of what it was done to.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('Facts of the action; `repeated` or `leftOut` where a line stands for several.'),
  address: z
    .string()
    .nullable()
    .describe("The client's address, of IPv6 its /64 network; null for the operator at the command line."),
  requestId: z.string().nullable().describe('The `x-request-id` of the answer; null outside of a request.'),
});
responseSchemas.add(auditEntrySchema, { id: 'AuditEntry' });
export type ShownEntry = z.output<typeof auditEntrySchema>;
