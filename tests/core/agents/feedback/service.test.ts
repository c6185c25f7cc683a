import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentFeedback } from '../../../../src/core/agents/feedback/service.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { TokenBuckets } from '../../../../src/core/limits/rates/buckets.ts';
import { EVENTS } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const sharedApp = appOfThisFile();

test('AgentFeedback: a gap needs mcp:read, and is stored when its id is known', async () => {
  const { runtime, caller, request } = await sharedApp();
  const outbox = {
    record: () => assert.fail('it is not to be lost'),
    store: runtime.outbox.store.bind(runtime.outbox),
  };
  const feedback = new AgentFeedback({
    ...{ outbox, effects: realEffects, onError: (error) => assert.fail(String(error)) },
    quota: { admit: async () => ({ end: () => undefined }) },
    gaps: new TokenBuckets(Date.now),
    milestones: { reached: () => assert.fail('a gap is no call') },
  });
  const none = feedback.reportGap({ ...caller, scopes: ['events:write'] }, { question: 'Why?' });
  await assert.rejects(none, { code: 'forbidden', scope: 'mcp:read' });
  const id = await feedback.reportGap(caller, { question: 'How many?' });
  await runtime.eventStore.settle();
  const { body } = await request('POST', `${EVENTS}/query`, { eventName: 'runtime.gap_reported' });
  assert.deepEqual([body.rows[0]?.id, body.rows[0]?.question], [id, 'How many?']);
});
