import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoQueue } from '../../src/demo/executions.ts';
import { fillDemoExecutions, fillDemoWorkspace } from '../../src/demo/workspace.ts';
import { testApp } from '../support/app.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');

test('Demo: executions have steps, reviews, a queue and a bad day among them', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const send = async (path: string, body: unknown) => {
    const answer = await app.request('POST', path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await fillDemoWorkspace(send, async () => undefined, NOW);
  const made = await fillDemoExecutions(send, NOW);
  assert.ok(made > 100 && made < 800, `${made} executions`);
  const observability = '/api/v1/runtime/v1/observability';
  const total = async (query: string) => {
    const { status, body } = await app.request('GET', `${observability}/executions?limit=100&${query}`);
    assert.equal(status, 200);
    return body.executions.length as number;
  };
  assert.ok((await total('status=failed')) > 5, 'the bad days');
  assert.ok((await total('hasReview=true')) > 5);
  assert.equal(await total('kind=retrieval&sortBy=cost'), 100);
  const next = await app.request('POST', `${observability}/queues/${demoQueue.name}/next`);
  assert.notEqual(next.body.item, null, JSON.stringify(next.body));
});
