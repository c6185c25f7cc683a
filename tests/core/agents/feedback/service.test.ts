import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentFeedback } from '../../../../src/core/agents/feedback/service.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { TokenBuckets } from '../../../../src/core/limits/rates/token-buckets.ts';
import { EVENTS } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const sharedApp = appOfThisFile();

test('AgentFeedback: a gap needs mcp:read, and is stored when its id is known', async () => {
  const { runtime, caller, request } = await sharedApp();
  const { eventStore } = runtime;
  let receipt = '';
  const append: typeof eventStore.append = async (...given) => {
    const appended = await eventStore.append(...given);
    receipt = appended.receipt;
    return appended;
  };
  const recorder = { record: () => assert.fail('it is not to be lost') };
  const feedback = new AgentFeedback({
    ...{ recorder, events: { append }, effects: realEffects, onError: (error) => assert.fail(String(error)) },
    quota: { admit: async () => ({ end: () => undefined }) },
    gaps: new TokenBuckets(Date.now),
  });
  const none = feedback.reportGap({ ...caller, scopes: ['events:write'] }, { question: 'Why?' });
  await assert.rejects(none, { code: 'forbidden', scope: 'mcp:read' });
  const id = await feedback.reportGap(caller, { question: 'How many?' });
  await eventStore.waitFor(receipt, 5_000);
  const { body } = await request('POST', `${EVENTS}/query`, { eventName: 'runtime.gap_reported' });
  assert.deepEqual([body.rows[0]?.id, body.rows[0]?.question], [id, 'How many?']);
});
