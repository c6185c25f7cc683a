import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { parseUtc } from '../../../base/time/time.ts';
import { aggregateAnswerSchema, basisSchema, funnelStepSchema } from '../../events/questions/answer-schema.ts';
import { tableSchema } from '../../events/schema.ts';
import { CARD_TYPES } from '../config-schema.ts';
import { pictureShape } from '../pictures.ts';
import { presentation, valueSchema } from '../render.ts';
import { gridLayoutSchema } from '../schema.ts';

const DATE_ERROR = 'must be an ISO 8601 date such as 2027-03-01 or 2027-03-01T12:30:00Z';

export const shareTabSchema = z.strictObject({
  expiresAt: z
    .string(DATE_ERROR)
    .refine((text) => parseUtc(text) !== null, DATE_ERROR)
    .meta({ format: 'date-time' })
    .transform((text) => parseUtc(text))
    .nullable()
    .optional()
    .describe('When the link expires; null: never; left out: in 30 days.'),
});
requestSchemas.add(shareTabSchema, { id: 'ShareTab' });
export type ShareTab = z.output<typeof shareTabSchema>;

const shownLinkSchema = z.object({
  id: z.string().describe('Id of the link.'),
  createdAt: z.iso.datetime().describe('When it was made.'),
  createdBy: z.string().describe('The label of the credential that made it.'),
  expiresAt: z.iso.datetime().nullable().describe('When it expires; null: never.'),
  lastUsedAt: z.iso.datetime().nullable().describe('When it was last used, to a minute; null: never.'),
  valid: z
    .boolean()
    .describe('False when it has expired, or while its maker is deactivated or may not share: it opens nothing.'),
});
responseSchemas.add(shownLinkSchema, { id: 'DashboardLink' });
export type ShownLink = z.output<typeof shownLinkSchema>;

export const sharedSchema = shownLinkSchema.extend({
  success: z.literal(true),
  url: z.string().describe('The address of the page; it is in this answer alone. With .png or .svg: its picture.'),
});

export const linksSchema = z.object({
  success: z.literal(true),
  total: z.int().describe('The number of links of the tab.'),
  links: z.array(shownLinkSchema).describe('Newest first.'),
  frameOrigins: z.array(z.string()).describe('Origins whose pages may frame a shared tab.'),
});

const { previous, series, groups, annotations } = aggregateAnswerSchema.shape;
const sharedChange = previous.unwrap().omit({ from: true, to: true }).optional();

/** Members that are not named here are left out. */
const sharedDataSchema = z.union([
  valueSchema.omit({ parts: true }).extend({ previous: sharedChange }),
  z.object({ series: series.unwrap(), annotations, ...presentation }),
  z.object({ groups: z.array(groups.unwrap().element.omit({ parts: true })), ...presentation }),
  tableSchema,
  z.object({ steps: z.array(funnelStepSchema) }),
]);

/** The data of a chart; nothing leads to events, and no agent is named. */
export const sharedAnswerSchema = z.object({
  data: sharedDataSchema,
  basis: basisSchema.pick({ aggregation: true, from: true, to: true, timezone: true, matchedEvents: true }),
});

const sharedCardSchema = z.object({
  number: z.int().describe('Its number on the page, from 1.'),
  title: z.string().describe('The title of the card.'),
  cardType: z.enum(CARD_TYPES).describe('The type of the card.'),
  gridLayout: gridLayoutSchema.nullable().describe('Its place in the grid of twelve columns.'),
  answer: sharedAnswerSchema.nullable().describe('Null where the card cannot be answered now.'),
});
export type SharedCard = z.output<typeof sharedCardSchema>;

export const sharedTabSchema = z.object({
  title: z.string().describe('The name of the tab.'),
  total: z.int().describe('The number of its cards.'),
  cards: z.array(sharedCardSchema).describe('The first 50 of them, from top to bottom.'),
});
responseSchemas.add(sharedTabSchema, { id: 'SharedTab' });
export type SharedTab = z.output<typeof sharedTabSchema>;

const { theme, locale, scale } = pictureShape;
export const sharedPictureSchema = z.strictObject({ theme, locale, scale });
export type SharedPicture = z.output<typeof sharedPictureSchema>;

export interface TabPictureOptions extends SharedPicture {
  type: 'svg' | 'png';
  /** For fairness: pictures of tenants are drawn in turn. */
  tenantId: string;
}

export interface TabPictures {
  /**
   * An SVG document, or the bytes of a PNG; never from a cache. Rejects with `unavailable` when too
   * many pictures wait.
   */
  tab(tab: SharedTab, options: TabPictureOptions, signal?: AbortSignal): Promise<string | Uint8Array>;
}
