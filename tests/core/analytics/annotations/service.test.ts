import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnnotationService } from '../../../../src/core/analytics/annotations/service.ts';
import type { AnnotationStore, StoredAnnotation } from '../../../../src/core/analytics/annotations/store.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { administratorOf } from '../../../support/connectors.ts';

function serviceOver(all: StoredAnnotation[], count = all.length) {
  const store: Pick<AnnotationStore, 'list' | 'count' | 'add'> = {
    list: async (_, { from, to, limit }) => {
      const items = all.filter(({ at }) => at >= from! && at < to!).sort((one, other) => other.at - one.at);
      return { items: items.slice(0, limit), total: items.length };
    },
    count: async () => count,
    add: async () => assert.fail('one more was stored'),
  };
  const audit = { record: async () => undefined };
  return new AnnotationService({ store: store as AnnotationStore, audit, effects: realEffects });
}

test('AnnotationService: a series shows the newest 20 of its range, in order of time', async () => {
  const all = Array.from({ length: 30 }, (_, day) => ({
    id: String(day),
    text: `release ${day}`,
    at: Date.UTC(2026, 2, 1 + day),
    createdAt: 0,
    createdBy: 'ana',
  }));
  const shown = await serviceOver(all).between('t', Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 26));
  assert.deepEqual(
    shown.map(({ text }) => text),
    Array.from({ length: 20 }, (_, index) => `release ${index + 5}`),
  );
  assert.equal(shown[0]?.at, '2026-03-06T00:00:00.000Z');
});

test('AnnotationService: a tenant that has 10,000 gets no more', async () => {
  const created = serviceOver([], 10_000).create(administratorOf('t'), { text: 'one too many' });
  await assert.rejects(created, { code: 'unprocessable', message: 'A tenant has at most 10,000 annotations.' });
});
