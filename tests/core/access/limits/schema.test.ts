import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantedLimits, limitsSchema, scopesWithin } from '../../../../src/core/access/limits/schema.ts';
import type { AccessLimits } from '../../../../src/core/base/filters/limits.ts';

const BRAZIL = { propertyKey: 'country', operator: 'eq', value: 'BR' } as const;

test('Limits: a wrong one is refused with the member and what to do', () => {
  const messages = (input: unknown) => limitsSchema.safeParse(input).error?.issues.map(({ message }) => message);
  assert.equal(messages({ agents: ['support'], filters: [BRAZIL], segment: 'loyal', models: ['gpt-*'] }), undefined);
  assert.deepEqual(messages({ agents: [] }), ['needs at least one agent; leave it out where nothing is to be limited']);
  assert.deepEqual(messages({ filters: [] }), [
    'needs at least one filter; leave it out where nothing is to be limited',
  ]);
  assert.match(messages({ agents: ['*'] })![0]!, /all agents/);
  assert.match(messages({ countries: ['BR'] })![0]!, /countries/);
});

test('Limits: nobody grants more than they have', () => {
  const by = { limits: [{ agents: ['a', 'b'], filters: [BRAZIL], models: ['gpt-*'], segment: 'loyal' }] };
  const [own] = by.limits;
  const granted = (limits: AccessLimits) => grantedLimits(by, { ...own, ...limits });
  assert.deepEqual(grantedLimits(by, undefined), own, 'by default what they have');
  assert.deepEqual(grantedLimits(null, {}), null);
  assert.deepEqual(granted({ agents: ['b'], eventNames: ['sold'] })?.agents, ['b']);
  const gold = { propertyKey: 'plan', operator: 'eq', value: 'gold' } as const;
  assert.equal(granted({ filters: [gold, BRAZIL], models: ['gpt-4*'] })?.filters?.length, 2);
  for (const beyond of [
    { agents: ['a', 'c'] },
    { agents: undefined },
    { filters: [gold] },
    { filters: [{ ...BRAZIL, value: 'DE' }] },
    { models: ['*'] },
    { segment: undefined },
  ]) {
    const member = Object.keys(beyond)[0]!;
    assert.throws(() => granted(beyond), { code: 'forbidden', message: new RegExp(`^limits\\.${member}:`) });
  }
  assert.throws(() => grantedLimits(null, { agents: ['a'] }, 'b'), { code: 'invalid' });
});

test('Limits: scopes that cannot be held are gone', () => {
  const scopes = (limits: AccessLimits) => scopesWithin({ scopes: ['*'], limits: [limits] });
  assert.ok(scopes({ agents: ['a'] }).includes('executions:read'));
  assert.ok(!scopes({ filters: [BRAZIL] }).includes('executions:read'));
  assert.ok(!scopes({ models: ['x'] }).includes('users:write'));
  assert.deepEqual(scopesWithin({ scopes: ['*'] }), ['*']);
});
