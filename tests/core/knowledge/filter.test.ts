import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterSchema, testsOf } from '../../../src/core/knowledge/filter.ts';

test('filterSchema: a value means equality, a list membership, operators comparisons', () => {
  const filter = filterSchema.parse({
    lang: 'en',
    tags: ['a', 1, true],
    year: { gte: 2020, lt: 2024 },
    state: { neq: 'draft' },
    team: { eq: 'support' },
    kind: { in: ['x'], notIn: ['y'] },
    title: { contains: 'pump' },
    source: { exists: false },
  });
  assert.deepEqual(testsOf(filter), [
    { key: 'lang', test: 'in', values: ['en'] },
    { key: 'tags', test: 'in', values: ['a', 1, true] },
    { key: 'year', test: 'gte', value: 2020 },
    { key: 'year', test: 'lt', value: 2024 },
    { key: 'state', test: 'notIn', values: ['draft'] },
    { key: 'team', test: 'in', values: ['support'] },
    { key: 'kind', test: 'in', values: ['x'] },
    { key: 'kind', test: 'notIn', values: ['y'] },
    { key: 'title', test: 'contains', value: 'pump' },
    { key: 'source', test: 'exists', value: false },
  ]);
  assert.deepEqual(testsOf({}), []);
});

test('filterSchema: invalid filters are refused', () => {
  for (const wrong of [
    [],
    'lang',
    { lang: null },
    { lang: [] },
    { lang: [null] },
    { lang: {} },
    { lang: { like: 'e' } },
    { lang: { contains: '' } },
    { lang: { gt: true } },
    { lang: { exists: 'yes' } },
    { lang: Number.NaN },
    { lang: 'x'.repeat(1_001) },
    { lang: Array.from({ length: 101 }, (_, index) => index) },
    { '': 1 },
    { 'a"': 1 },
    { 'a\\b': 1 },
    { ['k'.repeat(201)]: 1 },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 1])),
  ]) {
    assert.equal(filterSchema.safeParse(wrong).success, false, JSON.stringify(wrong).slice(0, 60));
  }
});
