import { z } from 'zod';
import { pageQuerySchema } from '../../access/auth/schema.ts';
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

export const MAX_DIGEST_CARDS = 20;
const COUNT_ERROR = `must name 1 to ${MAX_DIGEST_CARDS} cards`;

const idSchema = z.string().min(1, 'must not be empty').max(100);

const shape = {
  title: titleSchema,
  tabId: idSchema.optional().describe(`A dashboard: its first ${MAX_DIGEST_CARDS} cards.`),
  cardIds: z
    .array(idSchema, 'must be a list of ids of cards')
    .min(1, COUNT_ERROR)
    .max(MAX_DIGEST_CARDS, COUNT_ERROR)
    .optional()
    .describe('Cards in this order.'),
  every: everySchema.optional().describe('When to send; default "0 8 * * 1". A cron expression of 5 fields.'),
  timezone: zoneSchema.optional(),
  language: messageLanguageSchema.optional(),
  targets: targetsSchema.optional(),
  enabled: z.boolean('must be true or false').optional().describe('Default true.'),
};

const ONE = 'send one of tabId and cardIds';
const count = ({ tabId, cardIds }: { tabId?: unknown; cardIds?: unknown }) =>
  [tabId, cardIds].filter((member) => member !== undefined).length;

export const createDigestSchema = z.strictObject(shape).refine((input) => count(input) === 1, {
  path: ['tabId'],
  message: ONE,
});
requestSchemas.add(createDigestSchema, { id: 'CreateDigest' });
export type CreateDigest = z.output<typeof createDigestSchema>;

export const updateDigestSchema = z
  .strictObject({ ...shape, title: titleSchema.optional() })
  .refine((input) => count(input) <= 1, { path: ['tabId'], message: ONE })
  .refine(...someMember);
requestSchemas.add(updateDigestSchema, { id: 'UpdateDigest' });
export type UpdateDigest = z.output<typeof updateDigestSchema>;

export const digestsQuerySchema = z.strictObject({ ...pageQuerySchema.shape, createdBy: makerSchema });
export type DigestsQuery = z.output<typeof digestsQuerySchema>;

export const digestSchema = z.object({
  id: z.string(),
  title: z.string(),
  tabId: z.string().optional(),
  cardIds: z.array(z.string()).optional(),
  every: z.string(),
  timezone: z.string(),
  language: messageLanguageSchema,
  limits: makerLimitsSchema,
  targets: z.array(shownTargetSchema).describe('Without secrets.'),
  enabled: z.boolean(),
  disabledReason: z.string().optional().describe('Why it was switched off, if no person did.'),
  lastSent: z.object({ at: z.string(), error: z.string().nullable() }).nullable(),
  nextAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
});
responseSchemas.add(digestSchema, { id: 'Digest' });
export type Digest = z.output<typeof digestSchema>;
