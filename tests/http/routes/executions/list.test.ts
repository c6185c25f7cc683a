import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../support/process.ts';
import { EXECUTIONS, newDesk } from '../reviews/support.ts';

test('GET /executions: rows by each filter', async () => {
  const desk = await newDesk();
  const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
  const record = (id: string, members: object) =>
    desk.request('POST', EXECUTIONS, { id, status: 'completed', ...members });
  await record('a', {
    ...{ threadId: 't1', userId: 'ada', name: 'answer', tags: ['vip', 'q"1'], provider: 'openai', model: 'gpt-5' },
    ...{ usage: { input_tokens: 100, output_tokens: 20 }, cost: 0.5, startedAt: at(1), completedAt: at(2) },
    messages: [{ role: 'user', content: 'Onde estão as informações da entrega?' }],
    output: 'A entrega chega amanhã.',
  });
  await record('b', {
    ...{
      threadId: 't1',
      userId: 'bob',
      name: 'answer',
      tags: ['q"1'],
      status: 'failed',
      startedAt: at(3),
      completedAt: at(3),
    },
    steps: [{ id: 's', kind: 'retrieval', name: 'search', startedAt: at(3), endedAt: at(4) }],
  });
  await record('c', { userId: 'ada', startedAt: at(5), model: 'gpt-5', usage: { input_tokens: 5 } });
  const found = async (query: string) => {
    const { executions, total } = await desk.right('GET', `${EXECUTIONS}?${query}`);
    assert.equal(total, executions.length, query);
    return executions.map(({ id }: { id: string }) => id).join('');
  };
  assert.equal(await found(''), 'cba');
  const fraction = Buffer.from('[1.5,1]').toString('base64url');
  for (const cursor of ['x', fraction]) {
    assert.equal((await desk.request('GET', `${EXECUTIONS}?cursor=${cursor}`)).status, 400, cursor);
  }
  assert.equal(await found('sortOrder=asc'), 'abc');
  assert.equal(await found('userId=ada'), 'ca');
  assert.equal(await found('threadId=t1'), 'ba');
  assert.equal(await found('tag=vip'), 'a');
  assert.equal(await found(`tag=${encodeURIComponent('q"1')}`), 'ba');
  assert.equal(await found('kind=retrieval'), 'b');
  assert.equal(await found('status=failed'), 'b');
  assert.equal(await found('model=gpt-5&userId=ada&minCost=0.1'), 'a');
  assert.equal(await found('sortBy=totalTokens'), 'ac');
  assert.equal(await found('minLatencyMs=1'), 'ca');
  assert.equal(await found(`dateFrom=${at(3)}&dateTo=${at(5)}`), 'b');
  const indexed = () => found('search=informa%C3%A7%C3%A3o');
  assert.equal((await eventually('words of the execution', indexed, 20_000)).found, 'a');
  assert.equal(await found('search=entrega&threadId=t1'), 'a');
  assert.equal(await found('search=entrega&userId=bob'), '');
  assert.equal(await found('search=user'), '');
});
