import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatRequestSchema } from '../../../../src/core/agents/chat/schema.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';

const ASKED = { projectId: 'p', provider: 'openai', model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }] };

test('chatRequestSchema: duplicate server tools are removed', () => {
  const serverTools = ['web_search', 'code_execution', 'web_search'];
  assert.deepEqual(parse(chatRequestSchema, { ...ASKED, serverTools }).serverTools, ['web_search', 'code_execution']);
});

test('chatRequestSchema: an empty optional text counts as missing', () => {
  assert.equal(parse(chatRequestSchema, { ...ASKED, instructions: '' }).instructions, undefined);
  assert.equal(parse(chatRequestSchema, { ...ASKED, instructions: ' ' }).instructions, ' ');
});
