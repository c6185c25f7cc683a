import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DueRunner, type DueRunnerParts, TenantTurns } from '../../../../src/core/base/concurrency/due-runner.ts';
import { FakeClock } from '../../../support/clock.ts';

interface Item {
  tenantId: string;
  id: string;
  due: number;
}

function running(
  t: TestContext,
  ids: string[],
  run: (item: Item, signal: AbortSignal) => Promise<void> = async () => {},
  parts: Pick<DueRunnerParts<Item>, 'held'> = {},
) {
  const clock = new FakeClock();
  const start = clock.time;
  const items = ids.map((id) => ({ tenantId: id[0]!, id, due: clock.time + 1_000 }));
  const ran: string[] = [];
  const errors: unknown[] = [];
  const blocked = new Set<string>();
  const runner = new DueRunner<Item>({
    source: {
      due: async (now, { limit, ofTenant, except }) => {
        const due = items.filter((item) => item.due <= now && !except.includes(item.id));
        const byTenant = [...Map.groupBy(due, ({ tenantId }) => tenantId).values()];
        const turns = Array.from({ length: ofTenant }, (_, turn) => byTenant.flatMap((own) => own[turn] ?? []));
        return turns.flat().slice(0, limit);
      },
      nextDue: async (now) => {
        const later = items.map(({ due }) => due).filter((due) => due > now);
        return later.length === 0 ? null : Math.min(...later);
      },
    },
    run: async (item, signal) => {
      await run(item, signal);
      ran.push(`${item.id} ${clock.time - start}`);
      item.due = clock.time + 60_000;
    },
    concurrency: 2,
    tenants: { isBlocked: (tenantId) => blocked.has(tenantId) },
    effects: clock,
    timers: clock,
    onError: (error) => errors.push(error),
    ...parts,
  });
  t.after(() => runner.close());
  return { runner, clock, ran, errors, blocked, items };
}

test('DueRunner: runs each item when it is due, and sleeps between', async (t) => {
  const { runner, clock, ran } = running(t, ['a', 'b']);
  runner.wake();
  await clock.advance(999);
  assert.deepEqual(ran, []);
  await clock.advance(1);
  assert.deepEqual(ran, ['a 1000', 'b 1000']);
  await clock.advance(60_000);
  assert.deepEqual(ran.slice(2), ['a 61000', 'b 61000']);
});

test('DueRunner: what fails is tried again, and holds nothing up', async (t) => {
  let isBroken = true;
  const { runner, clock, ran, errors } = running(t, ['a', 'b'], async ({ id }) => {
    if (id === 'a' && isBroken) throw new Error('no');
  });
  runner.wake();
  await clock.advance(1_000);
  assert.deepEqual([ran, errors.length], [['b 1000'], 1]);
  isBroken = false;
  await clock.advance(15_000);
  assert.deepEqual(ran, ['b 1000', 'a 16000']);
});

test('DueRunner: those of a tenant that fail hold up no others of it', async (t) => {
  const { runner, clock, ran, errors } = running(t, ['a1', 'a2', 'a3', 'b1'], async ({ id }) => {
    if (id === 'a1' || id === 'a2') throw new Error('no');
  });
  runner.wake();
  await clock.advance(1_000);
  assert.deepEqual([ran.sort(), errors.length], [['a3 1000', 'b1 1000'], 2]);
  await clock.advance(14_999);
  assert.equal(errors.length, 2, 'they are put off');
});

test('DueRunner: slow ones of one tenant hold up no other tenant', async (t) => {
  const slow: (() => void)[] = [];
  const many = Array.from({ length: 50 }, (_, index) => `a${index}`);
  const { runner, clock, ran, items } = running(t, many, async ({ tenantId }, signal) => {
    if (tenantId === 'b') return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    slow.push(resolve);
    signal.addEventListener('abort', () => reject(signal.reason));
    await promise;
  });
  runner.wake();
  await clock.advance(1_000);
  items.push({ tenantId: 'b', id: 'b', due: clock.time });
  for (const end of slow) end();
  await clock.advance(0);
  assert.deepEqual(ran.slice(0, 3), ['a0 1000', 'a1 1000', 'b 1000']);
});

test('DueRunner: a free slot is filled while another task hangs', async (t) => {
  const { runner, clock, ran } = running(t, ['a1', 'b1', 'b2', 'b3'], async ({ tenantId }, signal) => {
    if (tenantId === 'b') return;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  runner.wake();
  await clock.advance(1_000);
  assert.deepEqual(ran, ['b1 1000', 'b2 1000', 'b3 1000']);
});

test('DueRunner: a blocked tenant waits', async (t) => {
  const { runner, clock, ran, blocked } = running(t, ['a', 'b']);
  blocked.add('a');
  runner.wake();
  await clock.advance(1_000);
  assert.deepEqual(ran, ['b 1000']);
  blocked.clear();
  await clock.advance(60_000);
  assert.deepEqual(ran.sort(), ['a 61000', 'b 1000', 'b 61000']);
});

test('DueRunner: closing aborts what is under way', async (t) => {
  const { runner, clock, ran, errors } = running(
    t,
    ['a'],
    (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  runner.wake();
  await clock.advance(1_000);
  await runner.close();
  await runner.settled();
  assert.deepEqual([ran, errors], [[], []]);
});

test('DueRunner: of several processes one runs the items, and the others take over', async (t) => {
  const lease = { isHeld: false };
  const { runner, clock, ran, items } = running(t, ['a'], async () => {}, { held: async () => lease.isHeld });
  runner.wake();
  await clock.advance(30_000);
  assert.deepEqual(ran, []);
  lease.isHeld = true;
  await clock.advance(15_000);
  assert.deepEqual(ran, ['a 45000']);
  items.push({ tenantId: 'b', id: 'b', due: clock.time });
  await clock.advance(15_000);
  assert.deepEqual(ran.slice(1), ['b 60000'], 'another process added it');
});

const counts = (turns: { tenantId: string; count: number }[]) =>
  Object.fromEntries(turns.map(({ tenantId, count }) => [tenantId, count]));

test('Turns: a tenant gets two slots at most, all of them eight', () => {
  const turns = new TenantTurns({ all: 8, ofTenant: 2 });
  assert.deepEqual(counts(turns.next(['a'], [])), { a: 2 });
  assert.deepEqual(counts(turns.next(['a'], ['a'])), { a: 1 });
  assert.deepEqual(turns.next(['a'], ['a', 'a']), []);
  assert.deepEqual(counts(turns.next(['a', 'b', 'c', 'd', 'e'], [])), { b: 2, c: 2, d: 2, e: 1, a: 1 });
  assert.deepEqual(turns.next(['e'], ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']), []);
  assert.deepEqual(turns.next([], []), []);
});

test('Turns: tenants with the fewest attempts come first', () => {
  assert.deepEqual(
    counts(new TenantTurns({ all: 8, ofTenant: 2 }).next(['a', 'b'], ['a', 'c', 'c', 'd', 'd', 'e', 'e'])),
    {
      b: 1,
    },
  );
});

test('Turns: the least recently served come first', () => {
  const turns = new TenantTurns({ all: 8, ofTenant: 2 });
  const due = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const busy = ['x', 'x', 'y', 'y', 'z', 'z', 'w'];
  const served = due.concat(due).map(() => turns.next(due, busy)[0]?.tenantId);
  assert.deepEqual(served, due.concat(due));
});
