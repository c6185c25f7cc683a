import { z } from 'zod';
import { freeObject } from '../../base/shared/json.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { CARD_TYPES } from '../dashboards/config-schema.ts';

const reachedAt = z.string().nullable();

const anyMembers = (description: string) =>
  freeObject().meta({ type: 'object', additionalProperties: true, description });

const suggestedQuestionSchema = z.object({
  text: z.string().describe('In words, to be asked by a person or a model.'),
  question: anyMembers('For POST /api/v1/portal/aggregate.'),
});

const suggestedCardSchema = z.object({
  agentId: z.string().describe('The agent that has the events.'),
  title: z.string().describe('In words.'),
  cardType: z.enum(CARD_TYPES).describe('The type of the card.'),
  config: anyMembers('For POST /api/v1/runtime/observability/dashboard-cards, or its preview.'),
});

const suggestionsSchema = z.object({
  questions: z.array(suggestedQuestionSchema).describe('Three.'),
  cards: z.array(suggestedCardSchema).describe('Three.'),
});
export type Suggestions = z.output<typeof suggestionsSchema>;

const SAMPLE_STATES = ['absent', 'loading', 'loaded'] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];

export const firstHourSchema = z.object({
  steps: z
    .object({
      event: reachedAt.describe('An event has arrived.'),
      client: reachedAt.describe('An MCP client has called a tool.'),
      question: reachedAt.describe('A person or a client has asked a question and got an answer.'),
      card: reachedAt.describe('The tenant has a card, beside those of the sample data.'),
    })
    .describe(
      'When each step was first seen to be done (ISO 8601); null: not yet. A step that is done stays done; one that only the sample data ticked ends with it.',
    ),
  event: z
    .object({ eventName: z.string().describe('Its name.') })
    .nullable()
    .describe('One of the first events.'),
  call: z
    .object({
      client: z.string().describe('The application, or the label of the key.'),
      tool: z.string().describe('The name of the tool.'),
    })
    .nullable()
    .describe('The first call of a tool; null before it, and where it is not known.'),
  putAway: z.boolean().describe('You put the checklist away.'),
  sampleData: z.enum(SAMPLE_STATES).describe('Whether the sample data is there.'),
  suggestions: suggestionsSchema
    .nullable()
    .describe('Made from the events; null without events, and once a question was asked and a card was saved.'),
});
responseSchemas.add(firstHourSchema, { id: 'FirstHour' });
export type FirstHourProgress = z.output<typeof firstHourSchema>;

export const changeFirstHourSchema = z.strictObject({
  putAway: z.boolean('must be true or false').describe('True puts the checklist away for you alone.'),
});
requestSchemas.add(changeFirstHourSchema, { id: 'ChangeFirstHour' });

export const sampleDataSchema = z.object({
  state: z.enum(SAMPLE_STATES).describe('`loading` also where a load was interrupted: remove it, then load it again.'),
  agentId: z.string().nullable().describe('The agent to which all of it belongs.'),
  loadedAt: z.string().nullable().describe('When loading began (ISO 8601).'),
  cards: z.int().nullable().describe('How many cards it has, in tabs of their own.'),
  metrics: z.array(z.string()).describe('The names of its metrics.'),
});
responseSchemas.add(sampleDataSchema, { id: 'SampleData' });
export type ShownSampleData = z.output<typeof sampleDataSchema>;
