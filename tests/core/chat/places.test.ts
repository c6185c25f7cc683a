import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Places } from '../../../src/core/chat/places.ts';
import type { Caller } from '../../../src/core/shared/caller.ts';

const MEGABYTE = 1024 * 1024;

function caller(key: string, tenantId = 'one'): Caller {
  const credential = { kind: 'key', id: key } as const;
  return {
    tenantId,
    agentId: null,
    label: 'test',
    scopes: ['*'],
    timezone: 'UTC',
    credential,
    userId: null,
    role: null,
  };
}

test('a credential has so many places, and each that is left is free again, once', () => {
  const places = new Places(2);
  const first = places.enter(caller('a'));
  places.enter(caller('a'));
  assert.throws(() => places.enter(caller('a')), { code: 'rate_limited', retryAfter: 1 });
  places.enter(caller('b'));
  first.leave();
  first.leave();
  places.enter(caller('a'));
  assert.throws(() => places.enter(caller('a')), { code: 'rate_limited' });
});

test('Places: all credentials of a tenant have four times the places of one, and other tenants have their own', () => {
  const places = new Places(2);
  const entered = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((key) => places.enter(caller(key)));
  assert.throws(() => places.enter(caller('e')), { code: 'rate_limited', message: /^In this tenant 8 chats/ });
  places.enter(caller('f', 'two'));
  entered[0]!.leave();
  places.enter(caller('e'));
});

test('what all chats hold has a limit, of which a tenant may take half, and goes with them', () => {
  const places = new Places(10);
  const chat = places.enter(caller('a'));
  chat.hold(40 * MEGABYTE);
  chat.hold(24 * MEGABYTE);
  assert.throws(() => places.enter(caller('b')).hold(1), { code: 'unavailable' });
  const other = places.enter(caller('c', 'two'));
  other.hold(64 * MEGABYTE);
  chat.leave();
  // It ended while this was still being loaded.
  chat.hold(64 * MEGABYTE);
  places.enter(caller('b')).hold(64 * MEGABYTE);
});

test('a chat that lets go of what it holds may hold as much again, and leaves with no more than that', () => {
  const places = new Places(10);
  const chat = places.enter(caller('a'));
  chat.hold(64 * MEGABYTE);
  chat.letGo();
  const other = places.enter(caller('b'));
  other.hold(40 * MEGABYTE);
  chat.hold(24 * MEGABYTE);
  assert.throws(() => chat.hold(1), { code: 'unavailable' });
  chat.leave();
  other.hold(24 * MEGABYTE);
  assert.throws(() => other.hold(1), { code: 'unavailable' });
});
