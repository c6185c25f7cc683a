import { z } from 'zod';
import { pageQuerySchema } from '../../access/auth/schema.ts';
import { aggregateEventsSchema, metricReferenceSchema, oneMeasure } from '../../analytics/events/schema.ts';
import { someMember } from '../../base/shared/json.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { shownTargetSchema, targetsSchema } from '../deliveries/targets.ts';
import {
  everySchema,
  makerLimitsSchema,
  makerSchema,
  messageLanguageSchema,
  titleSchema,
  zoneSchema,
} from '../schedules/schema.ts';
import { type AlertBucket, conditionSchema } from './conditions.ts';
import { ALERT_STATES } from './transition.ts';

const BUCKETS: AlertBucket[] = ['hour', 'day', 'week', 'month'];

const { agentId, filters, metric, eventName, aggregation, propertyKey, numerator, segment, review } =
  aggregateEventsSchema.shape;

/** Without the range, which is a bucket, and without groups: an alert has one value. */
const alertQuestionSchema = z
  .strictObject({
    agentId,
    filters,
    metric,
    eventName,
    aggregation,
    propertyKey,
    numerator,
    segment,
    review,
    dateGrouping: z.enum(BUCKETS).default('day').describe('The last complete hour, day, week or month is checked.'),
  })
  .superRefine(oneMeasure);
requestSchemas.add(alertQuestionSchema, { id: 'AlertQuestion' });
export type AlertQuestion = z.output<typeof alertQuestionSchema>;

const MAX_COOLDOWN = 30 * 86_400;
const COOLDOWN_ERROR = `must be a whole number of seconds from 0 to ${MAX_COOLDOWN}`;

const cardIdSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .describe('A dashboard card with one number or one line.');

const shape = {
  title: titleSchema,
  metric: metricReferenceSchema.optional().describe('A metric, by days. For other buckets: question.'),
  question: alertQuestionSchema.optional(),
  cardId: cardIdSchema.optional(),
  condition: conditionSchema,
  every: everySchema.optional().describe('When to check; a cron expression of 5 fields; default "5,20,35,50 * * * *".'),
  timezone: zoneSchema.optional(),
  language: messageLanguageSchema.optional(),
  cooldown: z
    .int(COOLDOWN_ERROR)
    .min(0, COOLDOWN_ERROR)
    .max(MAX_COOLDOWN, COOLDOWN_ERROR)
    .optional()
    .describe('Seconds after a message about a problem in which only its end is sent; default 3600.'),
  targets: targetsSchema.optional(),
  enabled: z.boolean('must be true or false').optional().describe('Default true.'),
};

const ASKED = ['metric', 'question', 'cardId'] as const;
type AskedMembers = Partial<Record<(typeof ASKED)[number], unknown>>;

function given(input: AskedMembers): (typeof ASKED)[number][] {
  return ASKED.filter((member) => input[member] !== undefined);
}

const ONE = 'send one of metric, question and cardId';

/** For `superRefine`. */
function atMostOne(input: AskedMembers, context: z.RefinementCtx): void {
  const members = given(input);
  if (members.length <= 1) return;
  for (const member of members) context.addIssue({ code: 'custom', path: [member], message: ONE });
}

export const createAlertSchema = z
  .strictObject(shape)
  .superRefine(atMostOne)
  .refine((input) => given(input).length > 0, { path: ['metric'], message: ONE });
requestSchemas.add(createAlertSchema, { id: 'CreateAlert' });
export type CreateAlert = z.output<typeof createAlertSchema>;

export const updateAlertSchema = z
  .strictObject({ ...shape, title: titleSchema.optional(), condition: conditionSchema.optional() })
  .superRefine(atMostOne)
  .refine(...someMember);
requestSchemas.add(updateAlertSchema, { id: 'UpdateAlert' });
export type UpdateAlert = z.output<typeof updateAlertSchema>;

export const alertsQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  state: z.enum(ALERT_STATES).optional(),
  createdBy: makerSchema,
});
export type AlertsQuery = z.output<typeof alertsQuerySchema>;

const foundShape = {
  bucket: z.string().nullable().describe('The start of what was checked.'),
  value: z.number().nullable(),
  comparedWith: z.number().nullable().describe('The limit, the value before, or the median of earlier weeks.'),
  cases: z.string().nullable().describe('The handle of the events behind the value: GET .../cases/:handle.'),
  error: z.string().nullable().describe('Why the check failed.'),
};

export const alertSchema = z.object({
  id: z.string(),
  title: z.string(),
  metric: z.string().optional(),
  question: z.record(z.string(), z.unknown()).optional(),
  cardId: z.string().optional(),
  condition: conditionSchema,
  every: z.string(),
  timezone: z.string(),
  language: messageLanguageSchema,
  limits: makerLimitsSchema,
  cooldown: z.int(),
  targets: z.array(shownTargetSchema).describe('Without secrets.'),
  enabled: z.boolean(),
  disabledReason: z.string().optional().describe('Why it was switched off, if no person did.'),
  state: z.enum(ALERT_STATES),
  lastCheck: z.object({ at: z.string(), ...foundShape }).nullable(),
  nextCheckAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
});
responseSchemas.add(alertSchema, { id: 'Alert' });
export type Alert = z.output<typeof alertSchema>;

export const alertChangeSchema = z.object({
  id: z.string(),
  at: z.string(),
  from: z.enum(ALERT_STATES),
  to: z.enum(ALERT_STATES),
  ...foundShape,
  notified: z.boolean().describe('Whether a message was sent to the targets.'),
});
responseSchemas.add(alertChangeSchema, { id: 'AlertChange' });
export type AlertChange = z.output<typeof alertChangeSchema>;

export const alertTestSchema = z.object({
  state: z.enum(ALERT_STATES).describe('What a check finds now. The test does not change the state.'),
  ...foundShape,
  deliveries: z.array(z.object({ id: z.string(), target: z.string() })).describe('The messages sent as a test.'),
});
responseSchemas.add(alertTestSchema, { id: 'AlertTest' });
export type AlertTest = z.output<typeof alertTestSchema>;
