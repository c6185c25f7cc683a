import assert from 'node:assert/strict';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { z } from 'zod';
import { type TrainingFormat, trainingExportSchema } from '../../../../../src/core/agents/reviews/training/schema.ts';
import openAi from './schemas/openai-fine-tuning.json' with { type: 'json' };
import trl from './schemas/trl-unpaired-preference.json' with { type: 'json' };

type Message = { role: string; tool_calls?: { id: string }[]; tool_call_id?: string };

const validator = new AjvJsonSchemaValidator();

const schemas: Record<TrainingFormat, object> = {
  'openai-conversational': z.toJSONSchema(trainingExportSchema.shape.training_examples.element),
  'openai-jsonl': { ...openAi, $ref: '#/$defs/supervised' },
  'dpo-jsonl': { ...openAi, $ref: '#/$defs/preference' },
  'kto-jsonl': trl,
};

const validators = new Map(
  Object.entries(schemas).map(([format, schema]) => [format, validator.getValidator(schema as never)]),
);

/** Fails unless the line is one that the vendor would take: by its schema, and by what the guides say beyond it. */
export function assertAccepted(format: TrainingFormat, line: string): void {
  const example = JSON.parse(line);
  assert.equal(validators.get(format)!(example).errorMessage, undefined, `${format}: ${line}`);
  if (format === 'openai-conversational') return;
  const prompt: Message[] =
    format === 'openai-jsonl'
      ? example.messages.slice(0, -1)
      : format === 'dpo-jsonl'
        ? example.input.messages
        : example.prompt;
  if (format === 'openai-jsonl') assert.equal(example.messages.at(-1).role, 'assistant', line);
  if (format === 'kto-jsonl') assert.match(prompt.at(-1)!.role, /^(user|tool)$/, line);
  assertPaired(prompt, line);
}

/** Every call of a turn is answered by the tool messages right behind it, and they answer nothing else. */
function assertPaired(prompt: Message[], line: string): void {
  for (const [index, { role, tool_calls: calls = [] }] of prompt.entries()) {
    if (role === 'tool') continue;
    const next = prompt.findIndex((turn, other) => other > index && turn.role !== 'tool');
    const answers = prompt.slice(index + 1, next === -1 ? undefined : next);
    assert.deepEqual(answers.map(({ tool_call_id: id }) => id).sort(), calls.map(({ id }) => id).sort(), line);
  }
  assert.notEqual(prompt[0]!.role, 'tool', line);
}
