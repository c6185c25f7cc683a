import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  LIMITED_ROLES as LIMITED_HERE,
  ROLES as ROLES_IN_WORDS,
  roleChoices,
  roleLabel,
} from '../../portal/src/api/roles.ts';
import { mergedWith } from '../../portal/src/editor/values.ts';
import { changesOf, reasonsFor, type UserForm } from '../../portal/src/pages/settings/users/users.ts';
import { LIMITED_ROLES } from '../../src/core/access/limits/schema.ts';
import { ROLES } from '../../src/core/base/shared/caller.ts';

const START: UserForm = { name: 'Bea', email: 'bea@example.com', phone: '', role: 'USER' };

test('changesOf: only what was edited; an emptied phone is none', () => {
  assert.deepEqual(changesOf(START, START), {});
  assert.deepEqual(changesOf({ ...START, name: 'Bea R', role: 'ADMIN' }, START), { name: 'Bea R', role: 'ADMIN' });
  assert.deepEqual(changesOf({ ...START, phone: ' ' }, { ...START, phone: '1234567' }), { phone: null });
});

test('mergedWith: what was not edited becomes that of the other person', () => {
  const theirs: UserForm = { name: 'Beatriz', email: 'b@example.com', phone: '1234567', role: 'VIEWER' };
  assert.deepEqual(mergedWith(START, START, theirs), theirs);
  const mine = { ...START, phone: '7654321', name: 'Bea R' };
  assert.deepEqual(mergedWith(mine, START, theirs), { ...theirs, phone: '7654321', name: 'Bea R' });
});

test('roles: every one is in words, and those out of reach say why', () => {
  assert.deepEqual([...LIMITED_HERE].toSorted(), [...LIMITED_ROLES].toSorted());
  assert.deepEqual(ROLES_IN_WORDS.map(({ role }) => role).toSorted(), [...ROLES].toSorted());
  const refused = (own: 'ADMIN' | 'SUPER_ADMIN') =>
    roleChoices(own).flatMap(({ value, reason }) => (reason === undefined ? [] : [value]));
  assert.deepEqual([refused('ADMIN'), refused('SUPER_ADMIN')], [['SUPER_ADMIN'], []]);
  assert.equal(roleLabel('USER'), 'Member');
});

test('reasonsFor: oneself, and a super administrator, are out of reach', () => {
  const me = { id: 'me', role: 'ADMIN' } as const;
  const reachable = Object.values(reasonsFor(me, { id: 'bea', role: 'ADMIN' }));
  assert.deepEqual(reachable, Array(6).fill(undefined));
  assert.ok(
    Object.values(reasonsFor(me, { id: 'chief', role: 'SUPER_ADMIN' })).every((reason) => reason !== undefined),
  );
  const { email, ...others } = reasonsFor(me, me);
  assert.equal(email, undefined);
  assert.ok(Object.values(others).every((reason) => reason !== undefined));
});
