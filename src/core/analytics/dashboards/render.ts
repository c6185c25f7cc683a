import { z } from 'zod';
import type { Caller } from '../../base/shared/caller.ts';
import { invalid, RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import { responseSchemas } from '../../base/shared/schema-names.ts';
import {
  type AggregateAnswer,
  aggregateAnswerSchema,
  funnelBasisSchema,
  funnelStepSchema,
  queryBasisSchema,
} from '../events/questions/answer-schema.ts';
import type { Noted } from '../events/questions/notes.ts';
import { GOOD_DIRECTIONS, type ShownAs } from '../events/questions/question.ts';
import { notesShape, tableSchema } from '../events/schema.ts';
import type { AnswerOptions, EventService } from '../events/service.ts';
import { CARD_TYPES, type CardContent, numberFormatSchema } from './config-schema.ts';
import { formatValue, presentationOf } from './format.ts';
import { type CardQuestionParts, checkedQuestion, inRange } from './question.ts';
import { type CardRange, contentSchema } from './schema.ts';
import type { StoredCard } from './store.ts';

const { numerator, denominator, parts, previous, series, groups, annotations } = aggregateAnswerSchema.shape;

export const presentation = {
  format: numberFormatSchema.optional(),
  unit: z.string().optional().describe("The metric's; `format` has it if it is written."),
  goodDirection: z.enum(GOOD_DIRECTIONS).optional().describe('Whether a rise or a fall is good; left out: neither.'),
};

export const valueSchema = z.object({
  value: z.number().nullable(),
  numerator,
  denominator,
  parts,
  previous,
  formatted: z.string(),
  ...presentation,
  min: z.number().optional(),
  max: z.number().optional(),
  target: z.number().optional(),
  thresholds: z
    .array(z.object({ value: z.number(), label: z.string().optional(), color: z.string().optional() }))
    .optional(),
});

/** By type: a value (number, rate, gauge), series or groups (line, bar, pie), rows, or steps. */
const dataSchema = z.union([
  valueSchema,
  z.object({ series: series.unwrap(), annotations, ...presentation }),
  z.object({ groups: groups.unwrap(), ...presentation }),
  z.object({ ...tableSchema.shape, nextOffset: z.int().optional() }),
  z.object({ steps: z.array(funnelStepSchema) }),
]);
export type CardData = z.output<typeof dataSchema>;

export const renderedCardSchema = z.object({
  card: z.object({ id: z.string(), title: z.string(), cardType: z.enum(CARD_TYPES) }),
  data: dataSchema,
  basis: z.union([funnelBasisSchema, queryBasisSchema]),
  note: z.string().optional(),
});
export type RenderedCard = z.output<typeof renderedCardSchema>;

/** `note` is the notes in one text. */
export const notedCardSchema = renderedCardSchema.extend(notesShape);
responseSchemas.add(notedCardSchema, { id: 'RenderedCard' });

export type AskedCard = Pick<StoredCard, 'id' | 'agentId' | 'title' | 'cardType' | 'config'>;

export interface RenderOptions extends AnswerOptions {
  /** Replaces the range of the card. */
  range?: CardRange | undefined;
}

/**
 * Throws `unprocessable` when the config has no valid plan any more, `invalid` when the given range
 * has none.
 */
export async function renderCard(
  card: AskedCard,
  now: number,
  events: Pick<EventService, 'resolve' | 'answerKpi' | 'answerTable' | 'answerFunnel'>,
  caller: Caller,
  { range, ...options }: RenderOptions,
): Promise<Noted<RenderedCard>> {
  const { id, title, cardType, agentId } = card;
  const context = { agentId, timezone: caller.timezone, now };
  const { content, resolved } = await questionNow(card, { events, caller, agentId, context }, range);
  const shown = { id, title, cardType };
  switch (resolved.kind) {
    case 'aggregate': {
      const { basis, notes, truncated, ...answer } = await events.answerKpi(caller, resolved, options);
      return {
        card: shown,
        data: aggregateData(content, answer, { aggregation: basis.aggregation, shown: resolved.question.shown }),
        basis,
        notes: [...notes, ...(truncated ? [truncated] : [])],
      };
    }
    case 'table': {
      const { basis, notes, ...table } = await events.answerTable(caller, resolved.question, options);
      return { card: shown, data: table, basis, notes };
    }
    case 'funnel': {
      const { basis, notes, steps } = await events.answerFunnel(caller, resolved.question, options);
      return { card: shown, data: { steps }, basis, notes };
    }
  }
}

/** A valid card can expire: a range outgrows its buckets, or begins after its fixed end. */
async function questionNow({ cardType, config }: AskedCard, parts: CardQuestionParts, range: CardRange = {}) {
  const isChanged = Object.values(range).some((member) => member !== undefined);
  try {
    const stored = parse(contentSchema, { cardType, config }) as CardContent;
    const content = isChanged ? inRange(stored, range, parts.context) : stored;
    return { content, resolved: await checkedQuestion(content, parts) };
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    if (isChanged) throw invalid(...error.messages.map((message) => message.replace(OF_RANGE, '')));
    throw unprocessable(`This card cannot be answered any more; change it. ${error.message}`);
  }
}

const OF_RANGE = /^config\.(?=dateFrom|dateTo|timezone)/;

function aggregateData(
  { cardType, config }: CardContent,
  { series, groups, annotations, ...value }: Omit<AggregateAnswer, 'basis' | 'note' | 'truncated'>,
  { aggregation, shown }: { aggregation: string | undefined; shown: ShownAs | undefined },
): CardData {
  const isRate = cardType === 'rate' || aggregation === 'rate';
  const presented = presentationOf('format' in config ? config.format : undefined, isRate, shown);
  if (series) return { series, ...(annotations ? { annotations } : {}), ...presented };
  if (groups) return { groups, ...presented };
  const written = { ...value, formatted: formatValue(value.value, presented.format, isRate), ...presented };
  if (cardType !== 'gauge') return written;
  const { min, max, target, thresholds } = config;
  return { ...written, min, max, ...(target === undefined ? {} : { target }), ...(thresholds ? { thresholds } : {}) };
}
