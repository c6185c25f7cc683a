import type { Predicate } from '../../../../../src/core/analytics/events/predicates.ts';
import {
  type BreakdownPlan,
  type ClustersPlan,
  clustersResult,
  type PlanResult,
  type QueryPlan,
} from '../../../../../src/core/analytics/events/query-plan.ts';
import type { EventStore } from '../../../../../src/core/analytics/events/store.ts';
import { randomNumbers } from '../../../../support/random.ts';

/*
 * Generated events of two periods, with causes that are known because they were planted. A cause is a group of a property whose
 * events become rarer, more frequent, or more or less successful.
 */

export interface PlantedEvent {
  period: 0 | 1;
  parts: number[];
  values: string[];
  thread?: string;
}

export interface World {
  /** Shares of the values of each property; they add up to 1. */
  properties: number[][];
  random: () => number;
}

/** Three to eight independent properties of two to nine values, the first often the largest. */
export function worldOf(seed: number): World {
  const random = randomNumbers(seed);
  const properties = Array.from({ length: 3 + Math.floor(random() * 6) }, () => {
    const weights = Array.from({ length: 2 + Math.floor(random() * 8) }, (_, at) => (0.3 + random()) / (1 + at * 0.4));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  });
  return { properties, random };
}

export function valuesOf({ properties, random }: World): string[] {
  return properties.map((shares) => {
    const drawn = random();
    const sums = shares.map((_, at) => shares.slice(0, at + 1).reduce((sum, share) => sum + share, 0));
    const at = sums.findIndex((sum) => drawn < sum);
    return `v${at < 0 ? shares.length - 1 : at}`;
  });
}

/** A value with a share between the two, or null. */
export function valueWithShare(world: World, least: number, most: number): { property: number; value: string } | null {
  const fitting = world.properties.flatMap((shares, property) =>
    shares.flatMap((share, at) => (share >= least && share <= most ? [{ property, value: `v${at}` }] : [])),
  );
  return fitting[Math.floor(world.random() * fitting.length)] ?? null;
}

/** What a store answers, by the obvious loops. Property n is `pn`. */
export function storeOf(events: readonly PlantedEvent[]): EventStore {
  const query = async (_: string, plan: QueryPlan): Promise<PlanResult> => {
    if (plan.kind === 'clusters') return clustersResult(clustersOf(plan, events));
    if (plan.kind !== 'breakdown') throw new Error(plan.kind);
    return { rows: rowsOf(plan, events), total: plan.properties.length, matched: 0, firstAt: null, lastAt: null };
  };
  return { query } as EventStore;
}

function clustersOf({ weights, groups }: ClustersPlan, events: readonly PlantedEvent[]): unknown[][] {
  const isIn = ({ field, test }: Predicate, { values }: PlantedEvent) =>
    field.kind === 'property' &&
    test.kind === 'oneOf' &&
    test.values[0] === values[Number(field.paths[0]![0]!.slice(1))];
  return [0, 1].map((period) => {
    const own = events.filter((event) => event.period === period);
    const clusters = Map.groupBy(own, (event) => event.thread ?? event);
    const squares = groups.map(({ where, share }) =>
      [...clusters.values()].reduce((sum, cluster) => {
        const added = cluster.map((event) => {
          const adds = weights.reduce((all, weight, part) => all + weight * event.parts[part]!, 0);
          return adds * (isIn(where, event) ? 1 - share : -share);
        });
        return sum + added.reduce((one, other) => one + other, 0) ** 2;
      }, 0),
    );
    return [period, own.length, ...squares];
  });
}

function rowsOf(plan: Pick<BreakdownPlan, 'properties' | 'values'>, events: readonly PlantedEvent[]): unknown[][] {
  const rows: unknown[][] = [];
  const add = (property: number | null, groups: Map<string, PlantedEvent[]>) => {
    const sorted = [...groups].sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1));
    for (const [value, own] of sorted.slice(0, property === null ? 1 : plan.values)) {
      for (const period of [0, 1]) {
        const inPeriod = own.filter((event) => event.period === period);
        if (inPeriod.length === 0) continue;
        const parts = inPeriod[0]!.parts.map((_, index) =>
          inPeriod.reduce((sum, event) => sum + event.parts[index]!, 0),
        );
        rows.push([property, property === null ? null : value, period, sorted.length, ...parts, inPeriod.length]);
      }
    }
  };
  for (const index of plan.properties.keys())
    add(
      index,
      Map.groupBy(events, (event) => event.values[index]!),
    );
  add(null, new Map([['', [...events]]]));
  return rows;
}
