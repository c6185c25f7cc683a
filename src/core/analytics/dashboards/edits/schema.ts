import { z } from 'zod';
import { memberHints } from '../../../base/shared/issues.ts';
import { callerIdSchema } from '../../../base/shared/name-schemas.ts';
import { CARD_TYPES, oneLineName } from '../config-schema.ts';
import { renderedCardSchema } from '../render.ts';
import { anyConfigSchema, byCardType, cardTitleSchema, owner, pictureFlag, sortOrderSchema } from '../schema.ts';

/* Arguments and answers of the tools that change dashboards. */

const WHOLE = 'must be a whole number';

const cardReference = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
const cardId = cardReference.describe('Id or exact title.');

const COLUMNS = 12;

/** In the columns of the portal. REST takes any numbers. */
const boxShape = {
  x: z.int(WHOLE).min(0, 'must not be negative'),
  y: z.int(WHOLE).min(0, 'must not be negative').max(10_000),
  w: z.int(WHOLE).min(1, 'must be at least 1'),
  h: z.int(WHOLE).min(1, 'must be at least 1').max(100),
};
const isInGrid: [(box: Pick<Box, 'x' | 'w'>) => boolean, { path: string[]; message: string }] = [
  ({ x, w }) => x + w <= COLUMNS,
  { path: ['w'], message: `x + w must be at most ${COLUMNS}: a dashboard has ${COLUMNS} columns` },
];

const ofEveryCard = {
  tab: oneLineName(100).nullish().describe('Name of a tab; null: none.'),
  gridLayout: z
    .strictObject(boxShape)
    .refine(...isInGrid)
    .nullish(),
  dryRun: z.boolean('must be true or false').optional().describe('Shows the card, saves nothing.'),
  picture: pictureFlag,
};

const ofNewCards = { agentId: owner, idempotencyKey: callerIdSchema.optional() };

/** One alternative per type, with every member of its config. */
const newCardSchema = byCardType({
  ...ofNewCards,
  title: cardTitleSchema,
  ...ofEveryCard,
  cardId: z.undefined().optional(),
});

const changedMembers = {
  title: cardTitleSchema.optional(),
  cardType: z.enum(CARD_TYPES).optional(),
  config: anyConfigSchema.optional(),
  ...ofEveryCard,
};

/** The config is checked once the type of the card is known. */
const changedCardSchema = z
  .strictObject({ cardId, ...changedMembers })
  .refine(
    ({ cardId: _, dryRun: __, picture: ___, ...changes }) =>
      Object.values(changes).some((change) => change !== undefined),
    'name what changes: title, config, cardType with config, tab or gridLayout',
  );
const OF_NEW = 'only for a new card; leave it out, or leave out cardId';
memberHints.add(changedCardSchema, { agentId: OF_NEW, idempotencyKey: OF_NEW });

export type NewCard = z.output<typeof newCardSchema>;
export type ChangedCard = z.output<typeof changedCardSchema>;

/** Short, for lists of tools: `savedCardSchemaOf` has the schema that checks the arguments. */
export const saveCardSchema = z.strictObject({
  ...changedMembers,
  ...ofNewCards,
  cardId: cardReference.optional().describe('Id or title of a card to change: send only what changes.'),
});

/** The schema of these arguments of `save_card`: of a new card, or of a change. */
export function schemaOfSaved({ cardId }: Record<string, unknown>): typeof newCardSchema | typeof changedCardSchema {
  return typeof cardId === 'string' && cardId !== '' ? changedCardSchema : newCardSchema;
}

const MAX_PLACED = 100;

export const saveTabSchema = z.strictObject({
  name: oneLineName(100),
  agentId: owner,
  sortOrder: sortOrderSchema.optional(),
  layout: z
    .array(z.strictObject({ cardId, ...boxShape }).refine(...isInGrid))
    .max(MAX_PLACED, `must have at most ${MAX_PLACED} cards`)
    .superRefine((boxes, context) => {
      for (const [index, box] of boxes.entries()) {
        const covered = boxes.slice(0, index).find((other) => overlap(box, other));
        if (!covered) continue;
        const message = `overlaps the box of ${JSON.stringify(covered.cardId)}; x and w count columns of 12, y and h rows`;
        context.addIssue({ code: 'custom', path: [index], message });
      }
    })
    .optional()
    .describe('Puts these cards into the tab, at places in 12 columns.'),
});
export type SaveTab = z.output<typeof saveTabSchema>;

type Box = z.output<z.ZodObject<typeof boxShape>>;

function overlap(one: Box, other: Box): boolean {
  const apart = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !apart && one.y < other.y + other.h && other.y < one.y + one.h;
}

export const deleteCardSchema = z.strictObject({ cardId });

/** Without data where the card was saved, but could not be shown. */
export const savedCardSchema = renderedCardSchema
  .partial({ data: true, basis: true })
  .extend({ outcome: z.enum(['created', 'changed', 'previewed']) });
export type SavedCard = z.output<typeof savedCardSchema>;

export const savedTabSchema = z.object({
  outcome: z.enum(['created', 'changed']),
  tabId: z.string(),
  cards: z.int(),
});
export type SavedTab = z.output<typeof savedTabSchema>;

export const deletedCardSchema = z.object({ cardId: z.string(), title: z.string() });
export type DeletedCard = z.output<typeof deletedCardSchema>;
