import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatSlots } from '../../../../src/core/agents/chat/slots.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';

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

test('ChatSlots: a credential has a number of slots, each freed once', () => {
  const places = new ChatSlots(2);
  const first = places.acquire(caller('a'));
  places.acquire(caller('a'));
  assert.throws(() => places.acquire(caller('a')), { code: 'rate_limited', retryAfter: 1 });
  places.acquire(caller('b'));
  first.release();
  first.release();
  places.acquire(caller('a'));
  assert.throws(() => places.acquire(caller('a')), { code: 'rate_limited' });
});

test('ChatSlots: a tenant has four times the slots of one credential', () => {
  const places = new ChatSlots(2);
  const entered = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((key) => places.acquire(caller(key)));
  assert.throws(() => places.acquire(caller('e')), { code: 'rate_limited', message: /^In this tenant 8 chats/ });
  places.acquire(caller('f', 'two'));
  entered[0]!.release();
  places.acquire(caller('e'));
});

test('ChatSlots: images share a memory budget of which a tenant may use half', () => {
  const places = new ChatSlots(10);
  const chat = places.acquire(caller('a'));
  chat.reserve(40 * MEGABYTE);
  chat.reserve(24 * MEGABYTE);
  assert.throws(() => places.acquire(caller('b')).reserve(1), { code: 'unavailable' });
  const other = places.acquire(caller('c', 'two'));
  other.reserve(64 * MEGABYTE);
  chat.release();
  // It ended while this was still being loaded.
  chat.reserve(64 * MEGABYTE);
  places.acquire(caller('b')).reserve(64 * MEGABYTE);
});

test('ChatSlots: released memory can be reserved again, and is released only once', () => {
  const places = new ChatSlots(10);
  const chat = places.acquire(caller('a'));
  chat.reserve(64 * MEGABYTE);
  chat.releaseMemory();
  const other = places.acquire(caller('b'));
  other.reserve(40 * MEGABYTE);
  chat.reserve(24 * MEGABYTE);
  assert.throws(() => chat.reserve(1), { code: 'unavailable' });
  chat.release();
  other.reserve(24 * MEGABYTE);
  assert.throws(() => other.reserve(1), { code: 'unavailable' });
});
