import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ITEM_LEASE_MS } from '../../../src/core/agents/queues/hands.ts';
import { randomNumbers } from '../../support/random.ts';
import { rareTest } from '../../support/rare.ts';
import { caller, type Desk, openDesk, type QueueBackend } from './support.ts';

interface Race {
  desks: Desk[];
  random(): number;
  /** Who holds each item, while nobody may get it besides. */
  holders: Map<string, string>;
  /** What each person finished or skipped. */
  settled: Map<string, Set<string>>;
}

/** What a reviewer does until there is nothing for them. False: they were killed with an item in their hands. */
async function work(race: Race, name: string): Promise<boolean> {
  const { desks, random, holders, settled } = race;
  const desk = desks[Math.floor(random() * desks.length)]!;
  const mine = settled.get(name) ?? new Set();
  settled.set(name, mine);
  for (;;) {
    const { item } = await desk.hands.next(caller(name), 'queue');
    if (!item) return true;
    const { executionId: id } = item;
    assert.ok([undefined, name].includes(holders.get(id)), `${name} gets ${id}, which ${holders.get(id)} holds`);
    assert.ok(!mine.has(id), `${name} gets ${id} again`);
    holders.set(id, name);
    const [dies, gives] = [random() < 0.02, random()];
    if (dies) return false;
    holders.delete(id);
    if (gives < 0.1) await desk.release(id, name);
    else if (gives < 0.15 && name !== 'patient') {
      mine.add(id);
      await desk.skip(id, name);
    } else {
      mine.add(id);
      await desk.done(id, name);
      if (random() < 0.05) await undo(race, desk, name, id);
    }
  }
}

/** It may be in other hands by now. */
async function undo({ settled, holders }: Race, desk: Desk, name: string, id: string): Promise<void> {
  const released = await desk.release(id, name).catch((error: unknown) => error);
  if (released instanceof Error) return assert.match(released.message, /Somebody else has/);
  assert.equal(holders.get(id), undefined);
  holders.set(id, name);
  settled.get(name)!.delete(id);
}

async function race(
  t: TestContext,
  { place }: QueueBackend,
  options: { items: number; assessors: number; seed: number },
) {
  const { items, assessors, seed } = options;
  const open = await place(t);
  const clock = { now: 1_000_000 };
  const desks = [openDesk(await open(), { clock }), openDesk(await open(), { clock })];
  const random = randomNumbers(seed);
  for (let index = 0; index < items; index += 1) await desks[0]!.record(`e${index}`, { startedAt: index });
  await desks[1]!.make({ assessors });
  const race: Race = { desks, random, holders: new Map(), settled: new Map() };
  const names = ['patient', ...Array.from({ length: 5 + assessors }, (_, index) => `reviewer ${index}`)];
  let isOver = false;
  for (let round = 0; !isOver; round += 1) {
    assert.ok(round < 200, 'it ends');
    await Promise.all(names.map((name) => work(race, name)));
    // The leases of those who were killed end.
    const held = race.holders.size;
    clock.now += ITEM_LEASE_MS;
    race.holders.clear();
    const { waiting } = await desks[0]!.queues.get(desks[0]!.boss, 'queue');
    isOver = held === 0 && (waiting === 0 || assessors > 1);
    if (isOver && waiting > 0) {
      // Others skipped them: two who skip nothing finish what is left.
      for (const name of ['patient', 'second', 'third']) await desks[1]!.finishAll(name);
    }
  }
  const { waiting, done, people } = await desks[1]!.queues.get(desks[1]!.boss, 'queue');
  assert.deepEqual([waiting, done], [0, items], 'none is left');
  for (const { id, done: finished, skipped } of people) {
    const mine = race.settled.get(id);
    if (mine && id !== 'patient') assert.equal(finished + skipped, mine.size, id);
  }
  assert.equal(
    people.reduce((sum, person) => sum + person.done, 0),
    items * assessors,
    'each by as many as the queue asks for',
  );
}

export function testQueueRace(backend: QueueBackend): void {
  const { name } = backend;
  test(`Queues (${name}): racing reviewers finish each of 40 items, none twice`, (t) =>
    race(t, backend, { items: 40, assessors: 1, seed: 1 }));
  test(`Queues (${name}): two different people finish each of 20 items`, (t) =>
    race(t, backend, { items: 20, assessors: 2, seed: 2 }));
  for (const assessors of [1, 2]) {
    rareTest(`Queues (${name}): a race on 200 items, ${assessors} for each`, (t) =>
      race(t, backend, { items: 200, assessors, seed: Math.floor(Math.random() * 2 ** 31) }),
    );
  }
}
