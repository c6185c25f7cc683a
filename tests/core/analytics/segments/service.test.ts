import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SegmentService } from '../../../../src/core/analytics/segments/service.ts';
import type { SegmentStore, StoredSegment } from '../../../../src/core/analytics/segments/store.ts';
import { DefinitionBudget } from '../../../../src/core/limits/quotas/definition-budget.ts';
import { administratorOf } from '../../../support/connectors.ts';

const BUYERS: StoredSegment = {
  name: 'repeat_buyers',
  title: 'Repeat buyers',
  by: 'customer',
  conditions: [{ eventName: 'bought' }] as StoredSegment['conditions'],
  createdAt: Date.UTC(2026, 0, 1),
  createdBy: 'ana',
  updatedAt: Date.UTC(2026, 0, 1),
};

function serviceOver(...segments: StoredSegment[]) {
  const all = new Map(segments.map((segment) => [segment.name, segment]));
  const store: SegmentStore = {
    find: async (_, name) => all.get(name) ?? null,
    stamps: async () =>
      [...all.values()].map(({ name, updatedAt }) => ({ key: name, changedAt: updatedAt, bytes: 100 })),
    some: async (_, names) => names.flatMap((name) => all.get(name) ?? []),
    put: async (tenantId, segment) => {
      if (tenantId === 'removed') return 'unknown tenant';
      all.set(segment.name, segment);
      return 'put';
    },
    remove: async (_, name) => all.delete(name),
  };
  const audited: string[] = [];
  const audit = { record: async (_: unknown, __: unknown, action: string) => void audited.push(action) };
  const definitions = new DefinitionBudget({ bytes: async () => 0 });
  const effects = { now: () => Date.UTC(2026, 5, 1) };
  return { service: new SegmentService({ store, definitions, audit, effects }), audited };
}

test('SegmentService: a change keeps what it does not name, and null removes a title', async () => {
  const { service, audited } = serviceOver(BUYERS);
  const changed = await service.update(administratorOf('t'), 'repeat_buyers', { title: null, description: 'Twice.' });
  const { title: _, ...rest } = BUYERS;
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-06-01T00:00:00.000Z' };
  assert.deepEqual(changed, { ...rest, description: 'Twice.', ...times });
  assert.deepEqual(audited, ['segment.changed']);
});

test('SegmentService: an unknown name is answered with the one that is meant', async () => {
  const { service, audited } = serviceOver(BUYERS);
  await assert.rejects(service.resolve({ tenantId: 't' }, 'repeat_buyer'), {
    code: 'invalid',
    message: /^segment: .*repeat_buyers/,
  });
  await assert.rejects(service.remove(administratorOf('t'), 'repeat_buyer'), { code: 'not_found' });
  const { title: _, ...segment } = { ...BUYERS, name: 'new' };
  await assert.rejects(service.create(administratorOf('removed'), segment), { code: 'not_found' });
  assert.deepEqual(audited, [], 'nothing was done');
});
