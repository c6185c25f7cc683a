import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricStore, StoredMetric, StoredTerm, TermStore } from '../../src/core/analytics/metrics/store.ts';
import type { StoreBackend } from './backend.ts';
import { allOf } from './segment-store.ts';

interface Stores {
  metrics: MetricStore;
  terms: TermStore;
}

function version(number: number, members: Partial<StoredMetric> = {}): StoredMetric {
  return {
    name: 'revenue',
    version: number,
    definition: {
      title: `Title ${number}`,
      goodDirection: 'up',
      formula: { eventName: 'it\'s "odd" 😀', aggregation: 'count' },
    },
    state: 'proposed',
    createdAt: number,
    createdBy: 'someone',
    decidedAt: null,
    decidedBy: null,
    ...members,
  };
}

const decision = { at: 9, by: 'ada' };

export function testMetricStore({ name, open }: StoreBackend<Stores>): void {
  test(`MetricStore (${name}): versions are kept as they were added, newest first`, async (t) => {
    const { metrics } = await open(t);
    for (const number of [1, 2]) assert.equal(await metrics.add('one', version(number)), 'added');
    assert.deepEqual(await metrics.some('one', [version(2), version(1), version(7)]), [version(1), version(2)]);
    assert.deepEqual(await metrics.latest('one', 'revenue'), version(2));
    const { definition, ...head } = version(2);
    const bytes = Buffer.byteLength(JSON.stringify(definition));
    assert.deepEqual(await metrics.versions('one', 'revenue'), [
      { ...head, bytes },
      { ...head, version: 1, createdAt: 1, bytes },
    ]);
    assert.deepEqual(await metrics.find('one', 'revenue', 1), version(1));
    assert.equal(await metrics.find('one', 'revenue', 3), null);
    assert.deepEqual(await metrics.versions('one', 'other'), []);
  });

  test(`MetricStore (${name}): of concurrent versions with one number, one is added`, async (t) => {
    const { metrics } = await open(t);
    const results = await Promise.all(Array.from({ length: 6 }, () => metrics.add('one', version(1))));
    assert.deepEqual(results.sort(), ['added', ...Array(5).fill('conflict')]);
  });

  test(`MetricStore (${name}): approving replaces the approved version`, async (t) => {
    const { metrics } = await open(t);
    for (const number of [1, 2, 3]) await metrics.add('one', version(number));
    const decided = { decidedAt: 9, decidedBy: 'ada' };
    assert.deepEqual(
      await metrics.approve('one', 'revenue', 1, decision),
      version(1, { state: 'approved', ...decided }),
    );
    await metrics.approve('one', 'revenue', 2, decision);
    assert.equal(await metrics.approve('one', 'revenue', 4, decision), null);
    const states = (await metrics.versions('one', 'revenue')).map(({ state }) => state);
    assert.deepEqual(states, ['proposed', 'approved', 'deprecated']);
  });

  test(`MetricStore (${name}): the approved and the newest version of each are current`, async (t) => {
    const { metrics } = await open(t);
    for (const number of [1, 2, 3]) await metrics.add('one', version(number));
    await metrics.approve('one', 'revenue', 1, decision);
    await metrics.add('one', version(1, { name: 'churn' }));
    const current = (await metrics.current('one')).map((one) => [one.name, one.version]);
    assert.deepEqual(current, [
      ['churn', 1],
      ['revenue', 1],
      ['revenue', 3],
    ]);
  });

  test(`MetricStore (${name}): deprecating covers every version, once`, async (t) => {
    const { metrics } = await open(t);
    for (const number of [1, 2]) await metrics.add('one', version(number));
    const [proposedAlone, approvedToo] = [
      { ...decision, approvedToo: false },
      { ...decision, approvedToo: true },
    ];
    await metrics.approve('one', 'revenue', 1, decision);
    assert.equal(await metrics.deprecate('one', 'revenue', proposedAlone), false);
    assert.equal((await metrics.find('one', 'revenue', 1))?.state, 'approved');
    assert.equal(await metrics.deprecate('one', 'revenue', approvedToo), true);
    assert.equal(await metrics.deprecate('one', 'revenue', { at: 10, by: 'bob', approvedToo: true }), false);
    const versions = await metrics.versions('one', 'revenue');
    assert.ok(versions.every(({ state, decidedBy }) => state === 'deprecated' && decidedBy === 'ada'));
    assert.equal(await metrics.deprecate('one', 'other', approvedToo), false);
    await metrics.add('one', version(1, { name: 'churn' }));
    assert.equal(await metrics.deprecate('one', 'churn', proposedAlone), true);
  });

  test(`MetricStore (${name}): a tenant sees and changes only its own`, async (t) => {
    const { metrics } = await open(t);
    await metrics.add('one', version(1));
    await metrics.add('two', version(1, { createdBy: 'another' }));
    await metrics.approve('two', 'revenue', 1, decision);
    await metrics.deprecate('two', 'revenue', { ...decision, approvedToo: true });
    assert.deepEqual(await metrics.some('one', await metrics.current('one')), [version(1)]);
    assert.deepEqual(await metrics.latest('one', 'revenue'), version(1));
  });

  test(`TermStore (${name}): terms are put, replaced, listed by term and removed`, async (t) => {
    const { terms } = await open(t);
    const term: StoredTerm = { term: 'churn', definition: 'x', synonyms: ['loss'], createdAt: 1, updatedAt: 1 };
    assert.equal(await terms.put('one', term), 'put');
    await terms.put('one', { ...term, term: 'arr' });
    await terms.put('one', { ...term, definition: 'y', createdAt: 5, updatedAt: 5 });
    await terms.put('two', { ...term, term: 'other' });
    assert.deepEqual(await allOf(terms, 'one'), [
      { ...term, term: 'arr' },
      { ...term, definition: 'y', updatedAt: 5 },
    ]);
    assert.equal(await terms.find('two', 'churn'), null);
    assert.equal(await terms.remove('two', 'churn'), false);
    assert.equal(await terms.remove('one', 'churn'), true);
    assert.equal(await terms.put('nobody', term), 'unknown tenant');
  });
}
