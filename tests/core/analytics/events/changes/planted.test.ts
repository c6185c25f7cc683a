import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askBreakdown } from '../../../../../src/core/analytics/events/changes/breakdown.ts';
import { correctedByThreads } from '../../../../../src/core/analytics/events/changes/clusters.ts';
import { type ChangeMeasure, changeMeasureOf } from '../../../../../src/core/analytics/events/changes/measure.ts';
import { type Ranking, rankingOf } from '../../../../../src/core/analytics/events/changes/ranking.ts';
import { fieldOf } from '../../../../../src/core/analytics/events/predicates.ts';
import type { KpiQuestion } from '../../../../../src/core/analytics/events/questions/question.ts';
import type { Caller } from '../../../../../src/core/base/shared/caller.ts';
import { randomNumbers } from '../../../../support/random.ts';
import { rareTest } from '../../../../support/rare.ts';
import { type PlantedEvent, storeOf, valuesOf, valueWithShare, type World, worldOf } from './planted.ts';

const DATES = { now: 0, timezone: 'UTC' };
const COUNT = changeMeasureOf({ eventName: 'a', aggregation: 'count' } as KpiQuestion, DATES);
const SUM = changeMeasureOf({ eventName: 'a', aggregation: 'sum', propertyKey: 'x' } as KpiQuestion, DATES);
const AVERAGE = changeMeasureOf({ eventName: 'a', aggregation: 'avg', propertyKey: 'x' } as KpiQuestion, DATES);
const numerator = { filters: [{ propertyKey: 'ok', operator: 'eq', value: true }] };
const RATE = changeMeasureOf({ eventName: 'a', aggregation: 'rate', numerator } as unknown as KpiQuestion, DATES);

const EVENTS = 4_000;

/** The ranking of properties `p0` to so many. */
async function ranked(measure: ChangeMeasure, properties: number, events: PlantedEvent[]): Promise<Ranking> {
  const names = Array.from({ length: properties }, (_, index) => `p${index}`);
  const plan = {
    kind: 'breakdown' as const,
    selection: { agentId: null, eventNames: ['a'], from: 0, to: 2, predicates: [] },
    periods: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ] as const,
    properties: names.map(fieldOf),
    values: 200,
  };
  const context = { store: storeOf(events), caller: { tenantId: 't' } as Caller, effects: { now: () => 0 } };
  const breakdown = await askBreakdown(measure, plan, context);
  return rankingOf(await correctedByThreads(measure, plan, breakdown, context), names);
}

interface Cause {
  property: number;
  value: string;
}

function has({ values }: Pick<PlantedEvent, 'values'>, { property, value }: Cause): boolean {
  return values[property] === value;
}

interface Laws {
  /** Whether an event of the later period that the earlier one would have happens. */
  happens?: (values: string[]) => number;
  succeeds?: (values: string[], period: 0 | 1) => number;
  measure: 'count' | 'sum' | 'average' | 'rate';
}

function eventsOf(world: World, { happens = () => 1, succeeds = () => 0.5, measure }: Laws): PlantedEvent[] {
  const { random } = world;
  const events: PlantedEvent[] = [];
  for (const period of [0, 1] as const) {
    for (let count = 0; count < EVENTS; count += 1) {
      const values = valuesOf(world);
      if (period === 1 && random() >= happens(values)) continue;
      const x = 20 + Math.floor(random() * 60);
      const succeeded = Number(random() < succeeds(values, period));
      const parts = {
        count: [1],
        sum: [x, x * x],
        average: [succeeded * x, 1, (succeeded * x) ** 2],
        rate: [succeeded, 1],
      };
      events.push({ period, values, parts: parts[measure] });
    }
  }
  return events;
}

const MEASURES = { count: COUNT, sum: SUM, average: AVERAGE, rate: RATE };

function firstOf({ properties }: Ranking, count: number): string[] {
  return properties.slice(0, count).map(({ property, groups }) => `${property}=${groups[0]?.value}`);
}

function nameOf({ property, value }: Cause): string {
  return `p${property}=${value}`;
}

/** The share of the cases whose causes come first. */
async function foundIn(cases: number, one: (seed: number) => Promise<boolean | null>): Promise<number> {
  let found = 0;
  let done = 0;
  for (let seed = 1; done < cases; seed += 1) {
    const result = await one(seed);
    if (result === null) continue;
    done += 1;
    found += Number(result);
  }
  return found / cases;
}

const ENOUGH = 0.95;
const CASES = { some: 10, all: 100 };

/** One group that falls is found first. */
function oneGroupFalls(cases: number): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(seed);
    const cause = valueWithShare(world, 0.1, 0.6);
    if (!cause) return null;
    const measure = seed % 2 === 0 ? 'count' : 'sum';
    const kept = 0.3 + world.random() * 0.3;
    const events = eventsOf(world, { measure, happens: (values) => (has({ values }, cause) ? kept : 1) });
    const ranking = await ranked(MEASURES[measure], world.properties.length, events);
    return firstOf(ranking, 1)[0] === nameOf(cause) && ranking.properties[0]!.standsOut;
  });
}

/** A shift of the mix is found first, as an effect of the mix. */
function mixShifts(cases: number): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(1_000 + seed);
    const cause = valueWithShare(world, 0.15, 0.5);
    if (!cause) return null;
    const measure = seed % 2 === 0 ? 'rate' : 'average';
    // The group succeeds less in both periods; later it is more of all.
    const events = eventsOf(world, {
      measure,
      succeeds: (values) => (has({ values }, cause) ? 0.2 : 0.8),
      happens: (values) => (has({ values }, cause) ? 1 : 0.45),
    });
    const [first] = (await ranked(MEASURES[measure], world.properties.length, events)).properties;
    const [group] = first!.groups;
    // With two values, that one falls and that the other grows is the same shift.
    const isRight =
      world.properties[cause.property]!.length === 2 || `v${String(group!.value).slice(1)}` === cause.value;
    return (
      first!.property === `p${cause.property}` && isRight && Math.abs(group!.mixEffect!) > Math.abs(group!.rateEffect!)
    );
  });
}

/** Two causes in two properties are the first two. */
function twoCauses(cases: number): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(2_000 + seed);
    const [one, other] = [valueWithShare(world, 0.12, 0.5), valueWithShare(world, 0.12, 0.5)];
    if (!one || !other || one.property === other.property) return null;
    const events = eventsOf(world, {
      measure: 'count',
      happens: (values) => (has({ values }, one) ? 0.4 : 1) * (has({ values }, other) ? 0.45 : 1),
    });
    const found = firstOf(await ranked(COUNT, world.properties.length, events), 2).sort();
    return found.join() === [nameOf(one), nameOf(other)].sort().join();
  });
}

function rateAgainstVolume(cases: number): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(3_000 + seed);
    const [cause, louder] = [valueWithShare(world, 0.12, 0.5), valueWithShare(world, 0.1, 0.5)];
    if (!cause || !louder || cause.property === louder.property) return null;
    const events = eventsOf(world, {
      measure: 'rate',
      succeeds: (values, period) => (period === 1 && has({ values }, cause) ? 0.4 : 0.7),
      happens: (values) => (has({ values }, louder) ? 1 : 0.5),
    });
    const ranking = await ranked(RATE, world.properties.length, events);
    const [group] = ranking.properties[0]!.groups;
    return firstOf(ranking, 1)[0] === nameOf(cause) && Math.abs(group!.rateEffect!) > Math.abs(group!.mixEffect!);
  });
}

/** On shuffled data at most 5 % of the explanations are confident. */
function shuffled(cases: number): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(5_000 + seed);
    const measure = (['count', 'sum', 'average', 'rate'] as const)[seed % 4]!;
    // The volume changes, but alike in all groups.
    const volume = 0.5 + world.random() / 2;
    // Groups differ, but not between the periods.
    const succeeds = (values: string[]) => 0.2 + (Number(values[0]!.slice(1)) % 4) * 0.2;
    const events = eventsOf(world, { measure, happens: () => volume, succeeds });
    return (await ranked(MEASURES[measure], world.properties.length, events)).properties.some(
      ({ standsOut }) => standsOut,
    );
  });
}

const CAUSES = {
  'one group that falls': oneGroupFalls,
  'a shift of the mix': mixShifts,
  'two causes at once': twoCauses,
  'a rate that falls while volumes change': rateAgainstVolume,
};

for (const [cause, found] of Object.entries(CAUSES)) {
  test(`explain_change: ${cause} comes first`, async () => {
    assert.ok((await found(CASES.some)) >= ENOUGH);
  });
}

rareTest('explain_change: in 400 cases the planted cause comes first in 95 %', async () => {
  const causes = Object.entries(CAUSES);
  const shares = await Promise.all(causes.map(async ([cause, found]) => ({ cause, share: await found(CASES.all) })));
  for (const { cause, share } of shares) assert.ok(share >= ENOUGH, cause);
});

rareTest('explain_change: shuffled data seldom give a confident answer', async () => {
  assert.ok((await shuffled(40)) <= 0.05);
});

rareTest('explain_change: in 400 shuffled cases at most 5 % of the answers are confident', async () => {
  const alarms = await shuffled(400);
  assert.ok(alarms <= 0.05);
});

const THREADS = 40;
/** Four properties of four values each; the first is of the group that changes. */
const SHARES = Array.from({ length: 4 }, () => [0.25, 0.25, 0.25, 0.25]);

/** So many events of each value in either period, spread over the threads by chance. `lives`: the periods of a thread. */
function inThreads(
  random: () => number,
  counts: [before: number, now: number][],
  lives: 'one' | 'both',
): PlantedEvent[] {
  return counts.flatMap((pair, value) =>
    pair.flatMap((count, period) =>
      Array.from({ length: count }, (): PlantedEvent => {
        const thread = Math.floor(random() * THREADS);
        const others = valuesOf({ properties: SHARES.slice(1), random });
        const name = lives === 'both' ? `t${thread}` : `t${period}-${thread}`;
        return { period: period as 0 | 1, parts: [1], values: [`v${value}`, ...others], thread: name };
      }),
    ),
  );
}

for (const lives of ['one', 'both'] as const) {
  test(`explain_change: a group that falls in all threads stands out, lives: ${lives}`, async () => {
    const found = await foundIn(40, async (seed) => {
      const events = inThreads(
        randomNumbers(seed),
        [
          [94, 33],
          [95, 93],
          [92, 94],
          [94, 95],
        ],
        lives,
      );
      const [first] = (await ranked(COUNT, SHARES.length, events)).properties;
      return first!.standsOut && first!.property === 'p0' && first!.groups[0]!.value === 'v0';
    });
    assert.ok(found >= ENOUGH, String(found));
  });
}

test('explain_change: a rate that falls in a group of all threads stands out', async () => {
  const found = await foundIn(20, async (seed) => {
    const random = randomNumbers(100 + seed);
    const counts = SHARES.map((): [number, number] => [150, 150]);
    const events = inThreads(random, counts, 'one').map((event) => {
      const often = event.period === 1 && event.values[0] === 'v0' ? 0.4 : 0.8;
      return { ...event, parts: [Number(random() < often), 1] };
    });
    const [first] = (await ranked(RATE, SHARES.length, events)).properties;
    return first!.standsOut && first!.property === 'p0' && first!.groups[0]!.value === 'v0';
  });
  assert.ok(found >= ENOUGH, String(found));
});

test('explain_change: one thread that ends is not a cause', async () => {
  const found = await foundIn(20, async (seed) => {
    const random = randomNumbers(200 + seed);
    const flat = inThreads(
      random,
      [
        [60, 60],
        [90, 91],
        [92, 94],
        [94, 95],
      ],
      'both',
    );
    const long = inThreads(random, [[60, 0]], 'both').map((event) => ({ ...event, thread: 'long' }));
    return (await ranked(COUNT, SHARES.length, [...flat, ...long])).properties[0]!.standsOut;
  });
  assert.equal(found, 0);
});

/** The share of confident answers where chance alone puts threads into a period, by how values lie in threads. */
function alarmsIn(cases: number, valueIn: (threadValues: string[], random: () => number) => string[]): Promise<number> {
  return foundIn(cases, async (seed) => {
    const world = worldOf(9_000 + seed);
    const { random, properties } = world;
    const events = Array.from({ length: 60 }, (_, thread) => {
      const own = valuesOf(world);
      const often = random();
      const period = random() < 0.5 ? 0 : 1;
      return Array.from({ length: 1 + Math.floor(20 * random() ** 3) }, (): PlantedEvent => {
        const succeeded = Number(random() < often);
        const parts = seed % 2 === 0 ? [1] : [succeeded, 1];
        return { period, parts, values: valueIn(own, random), thread: `t${thread}` };
      });
    }).flat();
    const { properties: judged } = await ranked(seed % 2 === 0 ? COUNT : RATE, properties.length, events);
    return judged.some(({ standsOut }) => standsOut);
  });
}

const LYING = {
  'of one value': (own: string[]) => own,
  'of mostly one value': (own: string[], random: () => number) =>
    own.map((value) => (random() < 0.8 ? value : `v${Math.floor(random() * 3)}`)),
};

for (const [lying, valueIn] of Object.entries(LYING)) {
  test(`explain_change: threads ${lying} seldom give a confident answer by chance`, async () => {
    const alarms = await alarmsIn(300, valueIn);
    assert.ok(alarms <= 0.05, String(alarms));
  });
}
