import { z } from 'zod';
import { memberHints } from '../../base/shared/issues.ts';
import { freeObject, someMember } from '../../base/shared/json.ts';
import { agentIdSchema, callerIdSchema, readAgentSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { narrowing, receiptSchema } from '../events/schema.ts';
import { CARD_TYPES, configSchemas, oneLineName } from './config-schema.ts';

const { dateFrom, dateTo, timezone } = narrowing;

export const gridLayoutSchema = z.strictObject({
  x: z.number().min(0, 'must not be negative').max(10_000),
  y: z.number().min(0, 'must not be negative').max(100_000),
  w: z.number().positive('must be greater than 0').max(10_000),
  h: z.number().positive('must be greater than 0').max(10_000),
});

export const sortOrderSchema = z.number().min(-1e9, 'must be at least -1e9').max(1e9, 'must be at most 1e9');
export const cardTitleSchema = oneLineName(200);
const tabIdSchema = z.string().min(1, 'must not be empty').max(100);

const placement = {
  tabId: tabIdSchema.nullish().describe('A tab of the same agent; null: in none.'),
  sortOrder: sortOrderSchema.optional().describe('Ascending; a new card comes last.'),
};

/** One alternative per type, so that errors and documentation name only that type's config. */
export function byCardType<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const [first, ...others] = CARD_TYPES.map((cardType) =>
    z.strictObject({ ...shape, cardType: z.literal(cardType), config: configSchemas[cardType] }),
  );
  return z.discriminatedUnion('cardType', [first!, ...others]);
}

export const owner = agentIdSchema.optional().describe("Default: the key's agent, else `default`.");

export const upsertCardSchema = byCardType({
  agentId: owner,
  title: cardTitleSchema,
  ...placement,
  gridLayout: gridLayoutSchema.nullish().describe('Null counts as left out.'),
  idempotencyKey: callerIdSchema.optional().describe("The card's identity, in place of what it asks."),
});
requestSchemas.add(upsertCardSchema, { id: 'UpsertCard' });

export type UpsertCard = z.output<typeof upsertCardSchema>;

export const contentSchema = byCardType({});

export const previewCardSchema = byCardType({ agentId: owner, title: cardTitleSchema });
requestSchemas.add(previewCardSchema, { id: 'PreviewCard' });
export type PreviewCard = z.output<typeof previewCardSchema>;

/** Replaces the range of a card for one rendering. */
export const cardRangeShape = {
  dateFrom: dateFrom.describe(
    "Replaces the card's range, in the format of a config. The dateGrouping then suits the new range.",
  ),
  dateTo: dateTo.describe("Replaces the card's dateTo; with dateFrom alone the range ends now."),
  timezone: timezone.describe("Replaces the card's time zone: an IANA name."),
};
export const cardRangeSchema = z.object(cardRangeShape);
export type CardRange = z.output<typeof cardRangeSchema>;

export const MAX_RENDERED = 50;

export const renderCardsSchema = z.strictObject({
  ids: z
    .array(z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'))
    .min(1, `must name 1 to ${MAX_RENDERED} cards`)
    .max(MAX_RENDERED, `must name 1 to ${MAX_RENDERED} cards`)
    .describe('The answer has the cards in this order.'),
  ...cardRangeShape,
});
requestSchemas.add(renderCardsSchema, { id: 'RenderCards' });

/** Keeps every member for the later check against the card's type. */
export const anyConfigSchema = freeObject().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Replaces the whole config.',
});

export const updateCardSchema = z
  .strictObject({
    title: cardTitleSchema.optional(),
    cardType: z.enum(CARD_TYPES).optional(),
    config: anyConfigSchema.optional(),
    ...placement,
    gridLayout: gridLayoutSchema.nullish().describe('Null removes it.'),
  })
  .refine(...someMember)
  .refine(({ cardType, config }) => cardType === undefined || config !== undefined, {
    path: ['config'],
    message: 'needed with cardType, because each type has its own',
  });
requestSchemas.add(updateCardSchema, { id: 'UpdateCard' });
export type UpdateCard = z.output<typeof updateCardSchema>;

export const upsertTabSchema = z.strictObject({
  agentId: owner,
  name: oneLineName(100),
  sortOrder: sortOrderSchema.optional().describe('Ascending; a new tab comes last.'),
});
requestSchemas.add(upsertTabSchema, { id: 'UpsertTab' });
export type UpsertTab = z.output<typeof upsertTabSchema>;

export const updateTabSchema = z
  .strictObject({ name: oneLineName(100).optional(), sortOrder: sortOrderSchema.optional() })
  .refine(...someMember);
requestSchemas.add(updateTabSchema, { id: 'UpdateTab' });
export type UpdateTab = z.output<typeof updateTabSchema>;

export const pictureFlag = z.boolean('must be true or false').optional().describe('Adds a PNG.');

export const renderDashboardCardSchema = z
  .strictObject({
    cardId: z.string().min(1, 'must not be empty').max(100).optional(),
    tab: z.string().min(1, 'must not be empty').max(100).optional().describe('Instead: all its cards.'),
    picture: pictureFlag,
    waitFor: receiptSchema.optional(),
  })
  .refine(({ cardId, tab }) => cardId !== undefined || tab !== undefined, {
    path: ['cardId'],
    message: 'is required, or tab for all cards of a tab',
  })
  .refine(({ cardId, tab }) => cardId === undefined || tab === undefined, {
    path: ['tab'],
    message: 'cannot be combined with cardId',
  })
  .refine(({ tab, picture }) => tab === undefined || !picture, {
    path: ['picture'],
    message: 'is of one card: send its cardId in place of tab',
  });

const CARD_HINT = 'send it as cardId, which takes the id or the exact title';
memberHints.add(renderDashboardCardSchema, {
  title: CARD_HINT,
  name: CARD_HINT,
  card: CARD_HINT,
  id: 'did you mean cardId?',
});

export const listQuerySchema = z.strictObject({
  agentId: readAgentSchema.optional().describe("Default: the key's agent, else all; `*`: all."),
});

export const dashboardCardSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  title: z.string(),
  cardType: z.enum(CARD_TYPES),
  config: z.record(z.string(), z.unknown()),
  gridLayout: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).nullable(),
  sortOrder: z.number(),
  tabId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
responseSchemas.add(dashboardCardSchema, { id: 'Card' });
export type DashboardCard = z.output<typeof dashboardCardSchema>;

export const dashboardTabSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  name: z.string(),
  sortOrder: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
responseSchemas.add(dashboardTabSchema, { id: 'Tab' });
export type DashboardTab = z.output<typeof dashboardTabSchema>;
