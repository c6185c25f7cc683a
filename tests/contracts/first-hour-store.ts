import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FirstHourStore } from '../../src/core/analytics/first-hour/store.ts';
import type { StoreBackend } from './backend.ts';

export function testFirstHourStore({ name, open }: StoreBackend<FirstHourStore>): void {
  test(`FirstHourStore (${name}): the first note of a name stays, in its tenant`, async (t) => {
    const store = await open(t);
    const fact = { name: 'event', at: 1, details: { eventName: 'it\'s "odd" 😀' } } as const;
    const noted = await Promise.all([1, 2, 3].map((at) => store.note('one', { ...fact, at })));
    assert.equal(noted.filter(Boolean).length, 1);
    const [kept, ...others] = await store.facts('one', ['event', 'card']);
    assert.deepEqual([kept?.details, others], [fact.details, []]);
    assert.deepEqual(await store.facts('two', ['event']), []);
    assert.equal(await store.note('nobody', fact), false);
  });

  test(`FirstHourStore (${name}): a change and a removal are of the fact noted then`, async (t) => {
    const store = await open(t);
    await store.note('one', { name: 'sample', at: 5, details: { events: 0 } });
    await store.note('one', { name: 'away:ada', at: 5, details: null });
    await store.change('one', { name: 'sample', at: 4, details: { events: 1 } });
    await store.change('one', { name: 'sample', at: 5, details: { events: 2 } });
    await store.change('two', { name: 'sample', at: 5, details: { events: 3 } });
    await store.forget('one', 'sample', 4);
    assert.deepEqual(await store.facts('one', ['sample']), [{ name: 'sample', at: 5, details: { events: 2 } }]);
    await store.forget('one', 'sample', 5);
    assert.deepEqual(await store.facts('one', ['sample', 'away:ada']), [{ name: 'away:ada', at: 5, details: null }]);
    await store.forget('one', 'away:ada');
    assert.deepEqual(await store.facts('one', ['away:ada']), []);
  });
}
