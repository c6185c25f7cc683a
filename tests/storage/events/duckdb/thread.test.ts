import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRaw } from '../../../../src/core/analytics/events/questions/plan.ts';
import { openEventThread } from '../../../../src/storage/events/duckdb/thread.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';

const OBSERVER = { onFault: assert.fail, onNotice: () => undefined };

test('Event thread: a batch that moves in parts comes back as it was, in every script', async (t) => {
  const store = await openEventThread(storeOptions(temporaryDirectory(t)), OBSERVER);
  t.after(() => store.close());
  const texts = ['plain', 'informação', '語'.repeat(5_000), '🙂 "quoted" \\ \u0000 \u2028'];
  // Part after part of fifty, and one more event.
  const events = Array.from({ length: 151 }, (_, index) =>
    storedEvent({ timestamp: index, properties: JSON.stringify({ text: `${index} ${texts[index % texts.length]}` }) }),
  );
  const { receipt } = await store.append('t', events);
  assert.ok(await store.waitFor(receipt, 10_000));
  const question = tableQuestion({ eventName: 'a', limit: 200, sortBy: 'timestamp', sortOrder: 'asc' });
  const plan = planRaw(question, ['text'], { agentId: null, timezone: 'UTC', now: 1 });
  const { rows } = await store.query('t', plan);
  assert.deepEqual(
    rows.map(([row]) => row),
    events.map(({ properties }) => properties),
  );
});
