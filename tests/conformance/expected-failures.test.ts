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

test('without a list every failure and every warning is unexpected', () => {
  assert.deepEqual(unexpected(), [
    'tools-call:tools-call',
    'tools-call:wire-schema-valid',
    'stateless:discover',
    'stateless:meta',
  ]);
  const { passed, expected, untested } = compare(RESULTS, []);
  assert.deepEqual({ passed, expected, untested }, { passed: 3, expected: 0, untested: ['sessions'] });
});

test('an entry covers one check, or a scenario but for the schema of its messages', () => {
  assert.deepEqual(unexpected('stateless:meta'), [
    'tools-call:tools-call',
    'tools-call:wire-schema-valid',
    'stateless:discover',
  ]);
  assert.deepEqual(unexpected('stateless', 'tools-call'), ['tools-call:wire-schema-valid']);
  assert.equal(compare(RESULTS, ['stateless', 'tools-call']).expected, 3);
});

test('an entry is stale when what it names passes, is not reached or does not exist', () => {
  const stale = ['tools-list', 'stateless:headers', 'stateless:gone', 'sessions', 'tools-cal'];
  assert.deepEqual(compare(RESULTS, [...stale, 'tools-call', 'stateless:meta']).stale, stale);
});

for (const revision of REVISIONS) {
  test(`each expected failure of ${revision} stands there once, with its reason`, () => {
    const file = fileURLToPath(new URL(`expected-failures-${revision}.yml`, import.meta.url));
    const entries = readExpectedFailures(file);
    const withReason = readFileSync(file, 'utf8').match(/^ *- \S+ # \S/gm) ?? [];
    assert.equal(withReason.length, entries.length);
    assert.equal(new Set(entries).size, entries.length);
  });
}
