import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { requestKeySchema } from '../../../../src/core/access/auth/schema.ts';
import { upsertCardSchema } from '../../../../src/core/analytics/dashboards/schema.ts';
import { ingestEventSchema } from '../../../../src/core/analytics/events/ingest-schema.ts';
import { aggregateEventsSchema } from '../../../../src/core/analytics/events/schema.ts';
import { agentToRead, agentToWrite } from '../../../../src/core/base/shared/agent.ts';
import { type Caller, hasScope, requireScope } from '../../../../src/core/base/shared/caller.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { memberHints } from '../../../../src/core/base/shared/issues.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';
import { ShortCache } from '../../../../src/core/base/shared/short-cache.ts';

const BOUND = { agentId: 'support' };
const UNBOUND = { agentId: null };

test("agentToRead: the named agent, else the credential's own, else all", () => {
  assert.equal(agentToRead(BOUND), 'support');
  assert.equal(agentToRead(UNBOUND), null);
  for (const caller of [BOUND, UNBOUND]) {
    assert.equal(agentToRead(caller, 'sales'), 'sales');
    assert.equal(agentToRead(caller, 'default'), 'default');
    assert.equal(agentToRead(caller, '*'), null);
    assert.equal(agentToRead(caller, null), null);
  }
  for (const name of ['**', '%', ' *', 'all', '']) assert.equal(agentToRead(BOUND, name), name);
});

test("agentToWrite: the named agent, else the credential's own, else `default`", () => {
  assert.equal(agentToWrite(BOUND), 'support');
  assert.equal(agentToWrite(UNBOUND), 'default');
  for (const caller of [BOUND, UNBOUND]) assert.equal(agentToWrite(caller, 'sales'), 'sales');
});

test('agentId: * is taken in questions and refused in what is written', () => {
  assert.equal(parse(aggregateEventsSchema, { eventName: 'a', aggregation: 'count', agentId: '*' }).agentId, '*');
  const card = { title: 'A', cardType: 'number', config: { eventName: 'a', aggregation: 'count' } };
  for (const [schema, input] of [
    [ingestEventSchema, { eventName: 'a', agentId: '*' }],
    [upsertCardSchema, { ...card, agentId: '*' }],
    [requestKeySchema, { label: 'a', scopes: ['*'], agentId: '*' }],
  ] as const) {
    assert.throws(
      () => parse(schema, input),
      (error: unknown) => error instanceof RuntimeError && /^agentId: "\*" means all agents/.test(error.messages[0]!),
    );
  }
});

test('agentId: null counts as left out, where null has no meaning', () => {
  assert.equal(
    parse(aggregateEventsSchema, { eventName: 'a', aggregation: 'count', agentId: null }).agentId,
    undefined,
  );
  assert.equal(parse(requestKeySchema, { label: 'a', scopes: ['*'], agentId: null }).agentId, null);
});

test('hasScope: * is every scope; otherwise each one is needed by name', () => {
  const caller = (scopes: Caller['scopes']) => ({ scopes }) as Caller;
  assert.equal(hasScope(caller(['*']), 'chat:write'), true);
  assert.equal(hasScope(caller(['events:read']), 'events:write'), false);
  assert.throws(
    () => requireScope(caller([]), 'mcp:read'),
    (error: RuntimeError) => error.scope === 'mcp:read',
  );
});

test('realEffects.newId: UUIDv7, unique and sorted by creation', () => {
  const ids = Array.from({ length: 100_000 }, () => realEffects.newId());
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids.slice(0, 100))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = Number.parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16);
  assert.ok(Math.abs(Date.now() - time) < 10_000);
});

const schema = z.strictObject({
  groupBy: z.string().min(1).optional(),
  dateFrom: z.string().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  count: z.number().min(1).max(5).optional(),
  inner: z.strictObject({ name: z.string() }).optional(),
});

function messages(input: unknown): string[] {
  try {
    parse(schema, input);
    return [];
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error.messages;
  }
}

test('parse: an unknown member is refused with the nearest known member', () => {
  assert.deepEqual(messages({ group_by: 'x' }), ['group_by: unknown member; did you mean groupBy?']);
  assert.deepEqual(messages({ dateform: 'x' }), ['dateform: unknown member; did you mean dateFrom?']);
  assert.deepEqual(messages({ colour: 'x' }), ['colour: unknown member']);
  assert.deepEqual(messages({ inner: { name: 'x', nam: 'y' } }), ['inner.nam: unknown member; did you mean name?']);
});

test('parse: a schema can give hints for unknown members', () => {
  memberHints.add(schema, { limit: 'leave it out', group_by: 'say groupBy' });
  assert.deepEqual(messages({ limit: 1 }), ['limit: unknown member; leave it out']);
  assert.deepEqual(messages({ group_by: 'x' }), ['group_by: unknown member; say groupBy']);
  assert.deepEqual(messages({ constructor: 1 }), ['constructor: unknown member']);
  memberHints.remove(schema);
});

test('parse: length limits are reported with their unit', () => {
  assert.deepEqual(messages({ groupBy: '' }), ['groupBy: must have at least 1 characters']);
  assert.deepEqual(messages({ list: ['a', 'b', 'c'] }), ['list: must have at most 2 items']);
  assert.deepEqual(messages({ count: 9 }), ['count: must be at most 5']);
});

function cacheWith(maximum = 10) {
  let now = 1_000;
  let reads = 0;
  const cache = new ShortCache<number>(() => now, maximum);
  const get = (key = 'a') => cache.get(key, async () => ++reads);
  const pass = (ms: number) => {
    now += ms;
  };
  return { cache, get, pass };
}

test('ShortCache: a value is fresh for half a second, unless the clock is set back', async () => {
  const { get, pass } = cacheWith();
  assert.equal(await get(), 1);
  pass(499);
  assert.equal(await get(), 1);
  pass(1);
  assert.equal(await get(), 2);
  pass(-1);
  assert.equal(await get(), 3);
});

test('ShortCache: the age counts from the begin of the read', async () => {
  const { cache, get, pass } = cacheWith();
  const slow = cache.get('a', async () => {
    pass(400);
    return 0;
  });
  assert.equal(await slow, 0);
  pass(99);
  assert.equal(await get(), 0);
  pass(1);
  assert.equal(await get(), 1);
});

test('ShortCache: a read gets the value before, however old', async () => {
  const { cache, pass } = cacheWith();
  const passed: (number | undefined)[] = [];
  for (const value of [1, 2, 3]) {
    pass(10_000);
    await cache.get('a', async (before) => {
      passed.push(before);
      return value;
    });
  }
  assert.deepEqual(passed, [undefined, 1, 2]);
});

test('ShortCache: concurrent reads share a result or failure, which is not cached', async () => {
  const { cache, get } = cacheWith();
  let reads = 0;
  const fail = () =>
    cache.get('a', async () => {
      reads += 1;
      throw new Error('not there');
    });
  const results = await Promise.allSettled([fail(), fail(), fail()]);
  assert.deepEqual([reads, new Set(results.map(({ status }) => status))], [1, new Set(['rejected'])]);
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
});

test('ShortCache: a failed read removes the old value', async () => {
  const { cache, get, pass } = cacheWith();
  await get();
  pass(500);
  await assert.rejects(cache.get('a', () => Promise.reject(new Error('gone'))));
  const before = await cache.get('a', async (value) => value ?? -1);
  assert.equal(before, -1);
});

test('ShortCache: evicts old entries, never for a failed read', async () => {
  const { cache, get, pass } = cacheWith(2);
  await get('a');
  await get('b');
  pass(500);
  await get('a');
  const absent = Array.from({ length: 100 }, (_, index) =>
    cache.get(`absent ${index}`, () => Promise.reject(new Error('not there'))),
  );
  await Promise.allSettled(absent);
  assert.equal(await get('a'), 3);
  await get('c');
  assert.deepEqual([await get('a'), await get('c')], [3, 4]);
  assert.equal(await get('b'), 5, 'it was the oldest');
});

for (const way of ['expire', 'clear'] as const) {
  test(`ShortCache: after ${way} everything is read again, pending reads are dropped`, async () => {
    const { cache, get } = cacheWith();
    await get('b');
    const begun = Promise.withResolvers<number>();
    const old = cache.get('a', () => begun.promise);
    cache[way]();
    const fresh = get('a');
    begun.resolve(-1);
    assert.equal(await old, -1, 'whoever asked before has what was then');
    assert.equal(await fresh, 2);
    assert.deepEqual([await get('a'), await get('b')], [2, 3]);
  });
}

test('ShortCache: expire keeps the value before for the next read, clear does not', async () => {
  const { cache, get } = cacheWith();
  await get();
  cache.expire();
  assert.equal(await cache.get('a', async (before) => before ?? -1), 1);
  cache.clear();
  assert.equal(await cache.get('a', async (before) => before ?? -1), -1);
});
