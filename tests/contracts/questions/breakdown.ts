import assert from 'node:assert/strict';
import type { test } from 'node:test';
import fc from 'fast-check';
import { askBreakdown, type Group } from '../../../src/core/analytics/events/changes/breakdown.ts';
import { correctedByThreads } from '../../../src/core/analytics/events/changes/clusters.ts';
import { changeMeasureOf } from '../../../src/core/analytics/events/changes/measure.ts';
import { fieldOf } from '../../../src/core/analytics/events/predicates.ts';
import { planKpi } from '../../../src/core/analytics/events/questions/plan.ts';
import type { KpiQuestion } from '../../../src/core/analytics/events/questions/question.ts';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { type PlantedEvent, storeOf } from '../../core/analytics/events/changes/planted.ts';
import type { Dataset } from '../../reference/datasets.ts';
import { difference, storedEvent } from '../../reference/differential.ts';
import { kpi } from '../../reference/evaluator.ts';
import { type Request, requestArbitrary } from '../../reference/generators.ts';
import { isoOf } from '../../reference/selection.ts';
import { type Asked as Backend, sampleDataset } from './differential.ts';

const OPTIONS = { seed: 25, datasets: 3, eventsPerDataset: 150 };
const RUNS = 8;
const SPLITTABLE = new Set(['count', 'sum', 'avg', 'rate', 'formula']);
const ADDING = new Set(['count', 'sum']);

interface Asked {
  question: KpiQuestion;
  agentId: string | null;
  properties: string[];
}

function askedOf(dataset: Dataset): fc.Arbitrary<Asked> {
  const kpis = requestArbitrary(dataset).filter(isSplittable);
  const keys = [...new Set(dataset.events.flatMap(({ properties }) => Object.keys(properties)))];
  const property = fc.constantFrom('threadId', 'agentId', ...keys.filter((key) => key !== '' && key !== 'timestamp'));
  return fc
    .record({ request: kpis, properties: fc.uniqueArray(property, { minLength: 1, maxLength: 3 }) })
    .map(({ request, properties }) => ({ question: request.input, agentId: request.agentId, properties }));
}

function isSplittable(request: Request): request is Extract<Request, { kind: 'kpi' }> {
  if (request.kind !== 'kpi' || !SPLITTABLE.has(request.input.aggregation)) return false;
  const parts = Object.values(request.input.formula?.parts ?? {});
  return parts.every(({ aggregation }) => ADDING.has(aggregation));
}

/** Null for a question whose dates are refused. */
function plannedOrRefused(...asked: Parameters<typeof planKpi>): ReturnType<typeof planKpi> | null {
  try {
    return planKpi(...asked);
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return null;
    throw error;
  }
}

export function testBreakdown({ name, openStore }: Backend, define: typeof test, runs = RUNS): void {
  define(`Breakdown on ${name}: each group has its value in both periods, as by the reference`, async (t) => {
    const store = await openStore(t);
    for (let index = 0; index < OPTIONS.datasets; index += 1) {
      const dataset = sampleDataset(index, { ...OPTIONS, runs });
      const { receipt } = await store.append(dataset.tenantId, dataset.events.map(storedEvent));
      assert.equal(await store.waitFor(receipt, 30_000), true);
      const middle = dataset.events.map(({ timestamp }) => timestamp).sort((one, other) => one - other)[75]!;
      const day = 86_400_000;
      const periods = [
        { from: middle - day, to: middle },
        { from: middle, to: middle + day },
      ] as const;
      const same = fc.asyncProperty(askedOf(dataset), async ({ question: asked, agentId, properties }) => {
        const {
          dateFrom: _,
          dateTo: __,
          dateGrouping: ___,
          compareTo: ____,
          group_by: _____,
          limit: ______,
          ...question
        } = asked;
        const caller = { tenantId: dataset.tenantId, agentId, timezone: dataset.timezone } as Caller;
        const context = { store, caller, effects: { now: () => dataset.now } };
        const planning = { agentId, timezone: dataset.timezone, now: dataset.now };
        const measure = changeMeasureOf(question, {
          now: dataset.now,
          timezone: question.timezone ?? dataset.timezone,
        });
        const planned = plannedOrRefused(question, planning);
        if (!planned) return;
        const selection = { ...planned.overall.selection, from: periods[0].from, to: periods[1].to };
        const plan = { kind: 'breakdown' as const, selection, periods, values: 1_000 };
        const breakdown = await askBreakdown(measure, { ...plan, properties: properties.map(fieldOf) }, context);
        const [before, now] = periods.map(
          ({ from, to }) =>
            (property?: string) =>
              kpi(
                {
                  ...question,
                  dateFrom: isoOf(from),
                  dateTo: isoOf(to),
                  ...(property ? { group_by: property, limit: 500 } : {}),
                },
                { ...dataset, agentId },
              ),
        );
        assert.equal(difference(orZero(breakdown.before), orZero(before!().overall.value)), null);
        assert.equal(difference(orZero(breakdown.now), orZero(now!().overall.value)), null);
        if (breakdown.before === null || breakdown.now === null) return;
        for (const [at, property] of properties.entries()) {
          for (const [period, groups] of [
            ['before', before!(property).groups],
            ['now', now!(property).groups],
          ] as const) {
            const expected = expectedOf(groups);
            const found = valuesOf(breakdown.properties[at]!, period);
            // A group of the other period alone has the formula's value over nothing.
            const shown = Object.fromEntries(Object.entries(found).filter(([group]) => group in expected));
            assert.deepEqual(shown, expected, property);
            if (!question.formula) assert.deepEqual(Object.keys(found), Object.keys(shown), property);
          }
        }
      });
      await fc.assert(same, { seed: OPTIONS.seed + index, numRuns: runs });
    }
  });

  define(`Breakdown on ${name}: an event without a thread is as much evidence as a thread of one`, async (t) => {
    const store = await openStore(t);
    const from = Date.UTC(2026, 2, 1);
    const day = 86_400_000;
    const events = Array.from({ length: 600 }, (_, index) => {
      const value = index % 7 < (index % 2 ? 2 : 4) ? 'free' : 'pro';
      return { period: index % 2, value, amount: ((index * 7) % 31) + (value === 'free' && index % 2 ? 40.5 : 0) };
    });
    const zScores = async (
      aggregation: 'count' | 'avg',
      layout: string,
      threadOf: (index: number) => string | null,
    ) => {
      const tenantId = `${aggregation}-${layout}`;
      const stored = events.map(({ period, value, amount }, index) => ({
        ...{ id: `event-${index}`, idFromCaller: true, agentId: 'support', eventName: 'order' },
        ...{ timestamp: from + period * day + index, threadId: threadOf(index), executionId: null },
        properties: JSON.stringify({ p0: value, amount }),
      }));
      const { receipt } = await store.append(tenantId, stored);
      assert.ok(await store.waitFor(receipt, 30_000));
      const planted = events.map(({ period, value, amount }, index): PlantedEvent => {
        const thread = threadOf(index);
        const parts = aggregation === 'count' ? [1] : [amount, 1, amount ** 2];
        return { period: period as 0 | 1, parts, values: [value], ...(thread === null ? {} : { thread }) };
      });
      const question = { eventName: 'order', aggregation, propertyKey: 'amount' } as KpiQuestion;
      const planning = { agentId: null, timezone: 'UTC', now: from };
      const periods = [
        { from, to: from + day },
        { from: from + day, to: from + 2 * day },
      ] as const;
      const selection = { ...planKpi(question, planning).overall.selection, from, to: from + 2 * day };
      const plan = { kind: 'breakdown' as const, selection, periods, values: 10, properties: [fieldOf('p0')] };
      const measure = changeMeasureOf(question, planning);
      const caller = { tenantId, agentId: null, timezone: 'UTC' } as Caller;
      const [found, expected] = await Promise.all(
        [store, storeOf(planted)].map(async (asked) => {
          const context = { store: asked, caller, effects: { now: () => from } };
          const breakdown = await askBreakdown(measure, plan, context);
          const { properties } = await correctedByThreads(measure, plan, breakdown, context);
          return properties[0]!.map(({ zScore }) => Number(zScore.toFixed(9)));
        }),
      );
      assert.deepEqual(found, expected, `${aggregation} of ${layout}`);
      return found!;
    };
    for (const aggregation of ['count', 'avg'] as const) {
      const without = await zScores(aggregation, 'none', () => null);
      const single = await zScores(aggregation, 'one', (index) => `t${index}`);
      const fours = await zScores(aggregation, 'four', (index) => `t${Math.floor(index / 4)}`);
      assert.equal(without.length, 2);
      assert.deepEqual(without, single);
      assert.notDeepEqual(without, fours);
      await zScores(aggregation, 'some', (index) => (index % 3 === 0 ? null : `t${index % 20}`));
    }
  });
}

/** A sum over nothing counts as 0 here. The store rounds nothing. */
function orZero(value: number | null): number {
  return Number((value ?? 0).toPrecision(12));
}

function valuesOf(groups: Group[], period: 'before' | 'now'): Record<string, string> {
  return named(groups.map((group) => [group.value, group[period]]));
}

function expectedOf(groups: { group: unknown; value: number | null }[] | null): Record<string, string> {
  return named((groups ?? []).map(({ group, value }) => [group, value]));
}

/** Without groups that have nothing; with fewer digits than the rounding of sums differs in. */
function named(groups: [group: unknown, value: number | null][]): Record<string, string> {
  const kept = groups.filter(([, value]) => value !== null && value !== 0);
  return Object.fromEntries(kept.map(([group, value]) => [JSON.stringify(group ?? null), value!.toPrecision(9)]));
}
