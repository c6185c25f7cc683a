import { type FieldRef, fieldOf, type Predicate } from '../predicates.ts';
import type { BreakdownPlan, ClustersPlan } from '../query-plan.ts';
import type { QueryContext } from '../questions/ask.ts';
import { type Breakdown, type Group, isTestable } from './breakdown.ts';
import { deviationOf } from './contributions.ts';
import { criticalZScore, zScoreOf } from './evidence.ts';
import type { ChangeMeasure } from './measure.ts';

/** Groups of a property that are looked at again: those with the most evidence. */
const MOST_OF_PROPERTY = 5;

/**
 * Events of one thread come together: they are one witness, not many. The groups that would stand
 * out among independent events are judged again by how much whole threads vary (the cluster-robust
 * variance of Liang and Zeger, 1986). It is that of the excess: a group that all threads have alike
 * loses nothing to it, however long the threads are. The sum of so many independent terms, divided
 * by the root of their squares, has tails no longer than the normal distribution's if each is
 * symmetric (Efron, 1969), and is at most the root of their number: a few threads never stand out.
 */
export async function correctedByThreads(
  measure: ChangeMeasure,
  { selection, periods, properties }: Omit<BreakdownPlan, 'parts'>,
  breakdown: Breakdown,
  { store, caller, signal }: QueryContext,
): Promise<Breakdown> {
  const limit = criticalZScore(breakdown.properties.flat().filter(isTestable).length);
  const suspects = breakdown.properties.flatMap((groups, index) =>
    suspectsOf(groups, properties[index]!, measure, limit),
  );
  const { weights, divisors } = deviationOf(measure, breakdown.all);
  const plan: ClustersPlan = {
    ...{
      kind: 'clusters',
      selection,
      periods,
      parts: measure.parts.slice(0, weights.length),
      weights,
      field: fieldOf('threadId'),
    },
    groups: suspects.map(({ where, group }) => ({ where, share: group.weight })),
  };
  const { rows } = suspects.length === 0 ? { rows: [] } : await store.query(caller.tenantId, plan, signal);
  const squaresOf = (period: number) => rows.find(([one]) => one === period)?.slice(2) as number[] | undefined;
  const [before, now] = [squaresOf(0), squaresOf(1)];
  const judged = new Map(
    suspects.map(({ group }, at) => {
      const variance = (before?.[at] ?? 0) / divisors.before ** 2 + (now?.[at] ?? 0) / divisors.now ** 2;
      return [group, { ...group, zScore: zScoreOf(group.excess, variance) }];
    }),
  );
  // A group that was not looked at again does not stand out.
  const other = (group: Group) => ({ ...group, zScore: Math.max(-limit, Math.min(limit, group.zScore)) });
  return {
    ...breakdown,
    properties: breakdown.properties.map((groups) => groups.map((group) => judged.get(group) ?? other(group))),
  };
}

/**
 * Where events cancel each other, as a start and its end in a ratio, single events show too little
 * evidence.
 */
const LEAST_OF_CANCELLING = 1;

function suspectsOf(groups: Group[], field: FieldRef, { mixesEvents }: ChangeMeasure, limit: number) {
  const least = mixesEvents ? LEAST_OF_CANCELLING : limit;
  return groups
    .filter((group) => isTestable(group) && Math.abs(group.zScore) > least)
    .flatMap((group) => {
      const where = predicateOf(field, group.value);
      return where ? [{ group, where }] : [];
    })
    .toSorted((one, other) => Math.abs(other.group.zScore) - Math.abs(one.group.zScore))
    .slice(0, MOST_OF_PROPERTY);
}

/** Null for a list or an object, by which no filter compares. */
function predicateOf(field: FieldRef, value: unknown): Predicate | null {
  if (value === null) return { field, test: { kind: 'present' }, negated: true };
  if (typeof value === 'object') return null;
  return { field, test: { kind: 'oneOf', values: [value as string | number | boolean] }, negated: false };
}
