import type { BreakdownPlan, PlanResult } from '../query-plan.ts';
import type { QueryContext } from '../questions/ask.ts';
import { type Compared, type Contribution, contributionsOf } from './contributions.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { ChangeMeasure, Parts } from './measure.ts';

export interface Group extends Contribution, Evidence {
  /** Null for an absent value. */
  value: unknown;
  /** Values beyond those that were read apart. */
  isRest: boolean;
  before: number | null;
  now: number | null;
  events: number;
}

export interface Breakdown {
  before: number | null;
  now: number | null;
  /** The parts of all events. */
  all: Compared;
  /** In the order of the plan's properties. */
  properties: Group[][];
}

/** Below so many events chance has other laws than those that the evidence follows. */
const MIN_EVENTS = 20;

/** Groups whose evidence counts. */
export function isTestable({ events, isRest }: Group): boolean {
  return events >= MIN_EVENTS && !isRest;
}

export async function askBreakdown(
  measure: ChangeMeasure,
  asked: Omit<BreakdownPlan, 'parts'>,
  { store, caller, signal }: QueryContext,
): Promise<Breakdown> {
  const plan = { ...asked, parts: [...measure.parts, COUNT] };
  return breakdownOf(measure, plan, await store.query(caller.tenantId, plan, signal));
}

const COUNT: BreakdownPlan['parts'][number] = { adds: 'count', field: null, where: [] };

/** `plan` has a last part that counts events. */
function breakdownOf(measure: ChangeMeasure, plan: BreakdownPlan, { rows }: PlanResult): Breakdown {
  const nothing = plan.parts.map(() => 0);
  const ofAll = (period: number) =>
    (rows.find((row) => row[0] === null && row[2] === period)?.slice(4) ?? nothing) as number[];
  const all = { before: ofAll(0), now: ofAll(1) };
  const [before, now] = [measure.valueOf(all.before), measure.valueOf(all.now)];
  const isComparable = before !== null && now !== null;
  return {
    before,
    now,
    all,
    properties: plan.properties.map((_, index) => {
      if (!isComparable) return [];
      const own = rows.filter(([property]) => property === index);
      return groupsOf(measure, { all, change: now - before }, groupsWithRest(own, nothing, all));
    }),
  };
}

interface NamedGroup extends Compared {
  value: unknown;
  isRest: boolean;
}

/** The rest is what the listed values leave of all. */
function groupsWithRest(rows: unknown[][], nothing: number[], all: Compared): NamedGroup[] {
  const byValue = new Map<string, NamedGroup>();
  for (const [, value, period, , ...parts] of rows) {
    const key = JSON.stringify(value);
    const group = byValue.get(key) ?? { value, isRest: false, before: nothing, now: nothing };
    byValue.set(key, { ...group, [period === 0 ? 'before' : 'now']: parts as number[] });
  }
  const groups = [...byValue.values()];
  const total = Number(rows[0]?.[3] ?? 0);
  if (groups.length >= total) return groups;
  const left = (period: 'before' | 'now'): Parts =>
    all[period].map((part, index) => groups.reduce((sum, group) => sum - group[period][index]!, part));
  return [...groups, { value: 'other', isRest: true, before: left('before'), now: left('now') }];
}

interface Whole {
  all: Compared;
  change: number;
}

function groupsOf(measure: ChangeMeasure, { all, change }: Whole, groups: NamedGroup[]): Group[] {
  const contributions = contributionsOf(measure, all, groups);
  const sumOfSquares = contributions.reduce(
    (sum, one) => ({ before: sum.before + one.sumOfSquares.before, now: sum.now + one.sumOfSquares.now }),
    { before: 0, now: 0 },
  );
  // A shift of the mix is never common to all groups.
  const common = change - contributions.reduce((sum, { mixEffect = 0 }) => sum + mixEffect, 0);
  return groups.map(({ value, isRest, ...compared }, index) => ({
    ...contributions[index]!,
    ...evidenceOf(contributions[index]!, common, sumOfSquares),
    value,
    isRest,
    before: measure.valueOf(compared.before),
    now: measure.valueOf(compared.now),
    events: compared.before.at(-1)! + compared.now.at(-1)!,
  }));
}
