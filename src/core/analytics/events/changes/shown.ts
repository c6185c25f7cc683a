import { decimal } from '../decimals.ts';
import { columnType, valueAsShown } from '../questions/rows.ts';
import type { Group } from './breakdown.ts';
import { exactShares, type RankedProperty } from './ranking.ts';
import type { Explanation, ShownContribution } from './schema.ts';

const DEFAULT_GROUPS = 5;
/** Properties that are shown when none was asked for. */
const MAX_SHOWN = 4;
const MIN_SHOWN = 2;

export interface ToShow {
  change: number | null;
  /** The contributions add up to the change. */
  linear: boolean;
  groups: number | undefined;
  /** The properties were asked for. */
  all: boolean;
}

/** Contributions in decimals that add up exactly, and what they leave unexplained. */
export function shownContributions(
  properties: readonly RankedProperty[],
  { change, linear, groups = DEFAULT_GROUPS, all }: ToShow,
): Pick<Explanation, 'contributions' | 'unexplained'> {
  if (change === null) return { contributions: [], unexplained: null };
  const outstanding = properties.filter(({ standsOut }) => standsOut).length;
  const count = all ? properties.length : Math.min(MAX_SHOWN, Math.max(MIN_SHOWN, outstanding));
  const explained = linear ? change : decimal(sumOf(properties[0]?.groups ?? []), Math.abs(change));
  const shown = properties.slice(0, count).filter((one) => one.groups.length > 0);
  return {
    contributions: shown.flatMap((one) => ofProperty(one, explained, groups)),
    unexplained: shown.length === 0 ? change : decimal(change - explained, Math.abs(change)),
  };
}

function ofProperty({ property, groups }: RankedProperty, explained: number, limit: number): ShownContribution[] {
  const named = groups.filter(({ isRest }) => !isRest);
  const shown = named.slice(0, limit);
  const rest = groups.filter((group) => !shown.includes(group));
  const all = rest.length > 0 ? [...shown, together(rest, named)] : shown;
  const contributions = exactShares(
    all.map(({ contribution }) => contribution),
    explained,
  );
  return all.map(({ value, now, before, rateEffect, mixEffect }, index) => {
    const contribution = contributions[index]!;
    const effects = rateEffect === undefined ? {} : effectsOf(contribution, rateEffect, mixEffect!);
    const group = valueAsShown(columnType(property, []), value);
    return { property, group, current: rounded(now), previous: rounded(before), contribution, ...effects };
  });
}

/** Two numbers in decimals that add up to the contribution exactly. */
function effectsOf(contribution: number, rateEffect: number, mixEffect: number) {
  const [mix, rate] = exactShares([mixEffect, rateEffect], contribution);
  return { rateEffect: rate!, mixEffect: mix! };
}

type ShownGroup = Pick<Group, 'value' | 'now' | 'before' | 'contribution' | 'rateEffect' | 'mixEffect'>;

/** Values of a rest of groups do not add up for a ratio, and are left out. */
function together(rest: Group[], named: Group[]): ShownGroup {
  const isTaken = named.some(({ value }) => value === 'other');
  const add = (of: (group: Group) => number) => rest.reduce((sum, group) => sum + of(group), 0);
  const isRatio = rest[0]!.rateEffect !== undefined;
  const total = (of: (group: Group) => number | null) => (isRatio ? null : add((group) => of(group) ?? 0));
  return {
    value: isTaken ? 'other (all remaining groups)' : 'other',
    now: total(({ now }) => now),
    before: total(({ before }) => before),
    contribution: sumOf(rest),
    ...(isRatio ? { rateEffect: add((one) => one.rateEffect!), mixEffect: add((one) => one.mixEffect!) } : {}),
  };
}

function sumOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { contribution }) => sum + contribution, 0);
}

function rounded(value: number | null): number | null {
  return value === null ? null : decimal(value);
}
