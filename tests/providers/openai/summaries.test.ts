import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startServer } from '../../outbound/support.ts';
import { askAt, OPENAI, readAll } from '../support.ts';
import { eventsOf } from '../transcripts.ts';

/* OpenAI shows summaries of reasoning only to organizations that it has verified. */

interface Body {
  reasoning?: { effort?: string; summary?: string };
}

const REFUSED = {
  message: 'Your organization must be verified to generate reasoning summaries.',
  type: 'invalid_request_error',
  code: 'unsupported_value',
};

async function unverified(t: TestContext, param: string, text = 'Hello!') {
  const bodies: Body[] = [];
  const server = await startServer(t, async (request, response) => {
    const body = (await json(request)) as Body;
    bodies.push(body);
    if (body.reasoning?.summary || param !== 'reasoning.summary') {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { ...REFUSED, param } }));
    }
    return response.end(
      eventsOf({ type: 'response.output_text.delta', delta: text }, { type: 'response.completed', response: {} }),
    );
  });
  return { url: server.url, bodies };
}

const THINKING = { model: 'gpt-5', thinking: { type: 'enabled', budgetTokens: 20_000 } } as const;

test('openai: a refused summary is dropped with a warning', async (t) => {
  const { url, bodies } = await unverified(t, 'reasoning.summary');
  const told = await readAll((await askAt(OPENAI, url, THINKING)).events);
  assert.deepEqual([told.text, told.finish], ['Hello!', 'stop']);
  assert.deepEqual(told.warnings, [
    'OpenAI shows the reasoning of its models only to organizations that it has verified.',
  ]);
  assert.deepEqual(
    bodies.map(({ reasoning }) => reasoning),
    [{ effort: 'high', summary: 'auto' }, { effort: 'high' }],
  );
});

test('openai: any other refusal fails at once', async (t) => {
  const { url, bodies } = await unverified(t, 'reasoning.effort');
  await assert.rejects(askAt(OPENAI, url, THINKING), { kind: 'refused', status: 400 });
  assert.equal(bodies.length, 1);
});
