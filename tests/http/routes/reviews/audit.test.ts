import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const REVIEWS = '/api/v1/runtime/v1/observability/reviews';

test('reviews: deletions and exports are audited without content', async (t) => {
  const app = await testApp(t);
  const comment = 'A resposta estava errada.';
  const { body } = await app.request('POST', `${EXECUTIONS}/one/reviews`, { rating: 'bad', comment });
  await app.request('GET', `${REVIEWS}/export/training-data?format=kto-jsonl&status=resolved`);
  await app.request('DELETE', `${REVIEWS}/${body.id}`);
  assert.equal((await app.request('DELETE', `${REVIEWS}/${body.id}`)).status, 404);
  const { request } = await newPerson(app, { role: 'ADMIN' });
  const log = (await request('GET', `${PORTAL}/audit-log`)).body;
  const lines = log.entries.map(({ action, actor, target, details }: Record<string, object>) => ({
    ...{ action, target, details },
    label: (actor as { label?: string }).label,
  }));
  assert.deepEqual(
    lines.filter(({ label }: { label: string }) => label === 'test'),
    [
      { action: 'review.deleted', target: body.id, details: {}, label: 'test' },
      {
        action: 'training_data.exported',
        target: null,
        details: { format: 'kto-jsonl', status: 'resolved' },
        label: 'test',
      },
    ],
  );
  assert.ok(!JSON.stringify(log).includes(comment));
});
