import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startServer } from '../../outbound/support.ts';
import { type Asked, askAt, OPENAI, readAll } from '../support.ts';
import { eventsOf } from '../transcripts.ts';

/* OpenAI opens encrypted reasoning only for the organization that got it. */

type Item = { type?: string };

const UNOPENED = {
  message: 'The encrypted content could not be verified.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_encrypted_content',
};

/** Opens none, or says so whatever it is sent. */
async function stranger(t: TestContext, { always = false } = {}) {
  const inputs: Item[][] = [];
  const server = await startServer(t, async (request, response) => {
    const { input } = (await json(request)) as { input: Item[] };
    inputs.push(input);
    if (always || input.some(({ type }) => type === 'reasoning')) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: UNOPENED }));
    }
    return response.end(
      eventsOf({ type: 'response.output_text.delta', delta: 'Noon.' }, { type: 'response.completed', response: {} }),
    );
  });
  return { url: server.url, inputs };
}

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
const CALLED: Asked = {
  model: 'gpt-5',
  messages: [
    { role: 'user', content: 'When?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          ...{ id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } },
          extra_content: { openai: { reasoning: [REASONING] } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '12:00' },
  ],
};

test('openai: reasoning of another organization is dropped with a warning', async (t) => {
  const { url, inputs } = await stranger(t);
  const told = await readAll((await askAt(OPENAI, url, CALLED)).events);
  assert.deepEqual([told.text, told.finish], ['Noon.', 'stop']);
  assert.deepEqual(told.warnings, [
    'What was reasoned before is left out: OpenAI opens it only to the organization that it gave it to.',
  ]);
  assert.deepEqual(
    inputs.map((items) => items.map(({ type }) => type ?? 'message')),
    [
      ['message', 'reasoning', 'function_call', 'function_call_output'],
      ['message', 'function_call', 'function_call_output'],
    ],
  );
});

test('openai: a second refusal is not retried', async (t) => {
  const { url, inputs } = await stranger(t, { always: true });
  await assert.rejects(askAt(OPENAI, url, CALLED), { kind: 'refused', status: 400 });
  assert.equal(inputs.length, 2);
});
