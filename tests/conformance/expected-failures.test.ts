import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Check, compare, readExpectedFailures } from './expected-failures.ts';
import { REVISIONS } from './official-suite.ts';

function check(id: string, status: Check['status']): Check {
  return { id, status, description: id };
}

const RESULTS = new Map([
  ['tools-list', [check('tools-list', 'SUCCESS'), check('wire-schema-valid', 'SUCCESS')]],
  ['tools-call', [check('tools-call', 'FAILURE'), check('wire-schema-valid', 'FAILURE')]],
  ['stateless', [check('discover', 'WARNING'), check('meta', 'FAILURE'), check('headers', 'SUCCESS')]],
  ['sessions', [check('skipped', 'INFO'), check('absent', 'SKIPPED')]],
]);

function unexpected(...entries: string[]): string[] {
  return compare(RESULTS, entries).unexpected.map(({ scenario, check }) => `${scenario}:${check.id}`);
}

test('compare: without a list every failure and warning is unexpected', () => {
  assert.deepEqual(unexpected(), [
    'tools-call:tools-call',
    'tools-call:wire-schema-valid',
    'stateless:discover',
    'stateless:meta',
  ]);
  const { passed, expected, untested } = compare(RESULTS, []);
  assert.deepEqual({ passed, expected, untested }, { passed: 3, expected: 0, untested: ['sessions'] });
});

test('compare: an entry covers a check, or a scenario without its message schema', () => {
  assert.deepEqual(unexpected('stateless:meta'), [
    'tools-call:tools-call',
    'tools-call:wire-schema-valid',
    'stateless:discover',
  ]);
  assert.deepEqual(unexpected('stateless', 'tools-call'), ['tools-call:wire-schema-valid']);
  assert.equal(compare(RESULTS, ['stateless', 'tools-call']).expected, 3);
});

test('compare: an entry without a failing check is stale', () => {
  const stale = ['tools-list', 'stateless:headers', 'stateless:gone', 'sessions', 'tools-cal'];
  assert.deepEqual(compare(RESULTS, [...stale, 'tools-call', 'stateless:meta']).stale, stale);
});

for (const revision of REVISIONS) {
  test(`expected-failures-${revision}.yml: entries are unique and have a reason`, () => {
    const file = fileURLToPath(new URL(`expected-failures-${revision}.yml`, import.meta.url));
    const entries = readExpectedFailures(file);
    const withReason = readFileSync(file, 'utf8').match(/^ *- \S+ # \S/gm) ?? [];
    assert.equal(withReason.length, entries.length);
    assert.equal(new Set(entries).size, entries.length);
  });
}
