import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { ANTHROPIC, type Asked, bodySent } from '../support.ts';

/* The order of turns in the Messages API. */

const upstream = await fakeUpstream(scopeOfThisFile());
const sent = (asked: Asked = {}) => bodySent(ANTHROPIC, upstream, asked) as Promise<Record<string, unknown>>;

const LATER: NonNullable<Asked['messages']> = [
  { role: 'user', content: 'One.' },
  { role: 'assistant', content: 'Two.' },
  { role: 'system', content: 'Count down.' },
  { role: 'user', content: 'Three.' },
  { role: 'assistant', content: 'Four.' },
  { role: 'user', content: 'Five.' },
  { role: 'system', content: 'Stop soon.' },
];

test('conversationOf: later system messages follow user turns for newer models', async () => {
  const { system, messages } = await sent({ model: 'claude-opus-5-5', messages: LATER });
  assert.equal(system, undefined);
  const turns = messages as { role: string; content: { text: string }[] }[];
  assert.deepEqual(
    turns.map(({ role, content }) => `${role}: ${content.map(({ text }) => text).join()}`),
    [
      'user: One.',
      'assistant: Two.',
      'user: Three.',
      'system: Count down.',
      'assistant: Four.',
      'user: Five.',
      'system: Stop soon.',
    ],
  );
});

test('conversationOf: other system messages go first', async () => {
  const { system } = await sent({ instructions: 'Count.', messages: LATER });
  assert.equal(system, 'Count.\n\nCount down.\n\nStop soon.');
  const unsaid = await sent({
    model: 'claude-opus-5-5',
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two' },
      { role: 'system', content: 'Count down.' },
    ],
  });
  assert.equal(unsaid.system, 'Count down.');
  assert.equal((unsaid.messages as unknown[]).length, 2);
});

test('conversationOf: adjacent messages of one role merge, results first, ids valid', async () => {
  const { messages } = await sent({
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'user', content: 'Two.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'functions.now:0', type: 'function', function: { name: 'now', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'functions.now:0', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  });
  assert.deepEqual(messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_now_0', name: 'now', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'functions_now_0', content: [] },
        { type: 'text', text: 'And?' },
      ],
    },
  ]);
});
