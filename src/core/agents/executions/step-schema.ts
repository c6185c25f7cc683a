import { z } from 'zod';
import { distinctIds, freeObject, soundJson } from '../../base/shared/json.ts';
import { callerIdSchema, nameSchema, textSchema, timestampSchema } from '../../base/shared/name-schemas.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { costSchema, MAX_JSON_DEPTH, shownCostShape, shownTokensShape, tokenUsageSchema } from './members.ts';

export const STEP_KINDS = ['agent', 'model', 'tool', 'retrieval', 'other'] as const;
export const STEP_STATUSES = ['ok', 'error'] as const;

/** Steps of an execution, and of a request. */
export const MAX_EXECUTION_STEPS = 10_000;
/** Characters of input, output and attributes of all steps of an execution, as JSON. */
export const MAX_STEP_CONTENTS = 32 * 1024 * 1024;

const message = textSchema.min(1, 'must not be empty').max(10_000, 'must have at most 10,000 characters');
const kind = nameSchema(100);

const recordStepSchema = z.strictObject({
  id: callerIdSchema.describe('Your own id, unique within the execution. A repeated one changes that step.'),
  parentId: callerIdSchema
    .nullish()
    .describe('The step within which it ran; it may be sent later. Without one it belongs to the execution itself.'),
  kind: z
    .enum(STEP_KINDS)
    .describe(
      'model: a call of a model; tool: of a tool; retrieval: a search for knowledge; agent: a part of the agent.',
    ),
  name: nameSchema(200).describe('The name of the tool, the model, the search.'),
  startedAt: timestampSchema.describe('ISO 8601.'),
  endedAt: timestampSchema.nullish().describe('ISO 8601; left out while it runs.'),
  status: z.enum(STEP_STATUSES).nullish().describe('Default: error with an error, else ok with an end.'),
  error: z
    .union([
      message.transform((text) => ({ message: text })),
      z.strictObject({
        kind: kind.nullish().describe('A word for the kind, such as timeout.'),
        message: message.describe('What went wrong.'),
      }),
    ])
    .nullish()
    .describe('Why it failed: a text, or `{kind, message}`.'),
  input: z.unknown().superRefine(soundJson(MAX_JSON_DEPTH)).optional().describe('What went in: any JSON value.'),
  output: z.unknown().superRefine(soundJson(MAX_JSON_DEPTH)).optional().describe('What came out: any JSON value.'),
  provider: nameSchema(200).nullish().describe('Who ran the model.'),
  model: nameSchema(200).nullish().describe('The model that was called.'),
  usage: tokenUsageSchema.nullish().describe('TokenCounts and the like, as the provider counted them.'),
  cost: costSchema,
  attributes: freeObject()
    .superRefine(soundJson(MAX_JSON_DEPTH))
    .meta({ type: 'object', additionalProperties: true })
    .nullish()
    .describe('Anything else that is known of it.'),
});
export type RecordStep = z.output<typeof recordStepSchema>;

export const stepsSchema = z
  .array(recordStepSchema, 'must be an array of steps')
  .max(MAX_EXECUTION_STEPS, `must hold at most ${MAX_EXECUTION_STEPS.toLocaleString('en')} steps`)
  .superRefine(distinctIds('is the id of an earlier step of this request'));

export const recordStepsSchema = z.strictObject({
  steps: stepsSchema.min(1, 'must hold at least one step').describe('Steps to add, or to change by their id.'),
});
requestSchemas.add(recordStepsSchema, { id: 'RecordSteps' });

export const stepSchema = z.object({
  id: z.string().describe("The sender's id; of a call in a message, that of the call."),
  parentId: z.string().nullable().describe('The step within which it ran; it may not have come yet.'),
  kind: z.enum(STEP_KINDS).describe('What it did.'),
  name: z.string().describe('The name of the tool, the model, the search.'),
  status: z.enum(STEP_STATUSES).nullable().describe('How it ended; null while it runs, or when the sender gave none.'),
  error: z
    .object({
      kind: z.string().nullable().describe('A word for the kind.'),
      message: z.string().describe('What went wrong.'),
    })
    .nullable()
    .describe('Why it failed.'),
  startedAt: z.string().nullable().describe('ISO 8601; null of a call in a message.'),
  endedAt: z.string().nullable().describe('ISO 8601; null while it runs.'),
  input: z.unknown().describe('What went in; null when nothing was sent.'),
  output: z.unknown().describe('What came out; null when nothing was sent.'),
  provider: z.string().nullable().describe('Who ran the model.'),
  model: z.string().nullable().describe('The model that was called.'),
  usage: z.record(z.string(), z.unknown()).nullable().describe('As the provider counted it.'),
  ...shownTokensShape,
  ...shownCostShape,
  attributes: z.record(z.string(), z.unknown()).describe('Anything else that the sender said of it.'),
  isFromMessages: z
    .boolean()
    .describe('Whether it is a tool call of the recorded messages, which was not sent as a step.'),
});
responseSchemas.add(stepSchema, { id: 'Step' });
export type ExecutionStep = z.output<typeof stepSchema>;
/** A step as a line. */
export type LinedStep = Pick<
  ExecutionStep,
  'id' | 'kind' | 'name' | 'status' | 'error' | 'startedAt' | 'endedAt' | 'totalTokens' | 'cost'
>;
