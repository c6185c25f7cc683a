import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json-schema/values.ts';
import { formatPath } from '../../base/shared/issues.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { ApprovedMetric, DefinedMetric } from '../events/questions/question.ts';
import { eventNamesIn } from '../events/questions/within.ts';
import { type FindableMetric, type FindableTerm, findable, findableTerm } from './find.ts';
import type { MemberChange, ShownMetric, ShownTerm, ShownVersion } from './schema.ts';
import type { MetricHead, StoredMetric, StoredTerm } from './store.ts';

/** The members of a version of a metric that lists and searches need. */
export interface MetricSummary extends FindableMetric {
  title: string;
  unit: string | undefined;
  /** Its beginning. */
  description: string | undefined;
  /** Its measures, each part of a formula apart. */
  measures: ApprovedMetric['measures'];
  /** Every event that its formula names. */
  eventNames: string[];
}

export function metricSummary({ name, definition }: Pick<StoredMetric, 'name' | 'definition'>): MetricSummary {
  const { title, unit, description, formula } = definition;
  const measures = 'expression' in formula ? Object.values(formula.parts) : [formula];
  return {
    ...findable(name, definition),
    title,
    unit,
    description: description && shortened(description),
    measures: measures.map(({ eventName, aggregation, propertyKey }) => ({ eventName, aggregation, propertyKey })),
    eventNames: eventNamesIn(formula),
  };
}

/**
 * The version that the name alone stands for: the approved one, or else the newest. Its definition
 * is read apart.
 */
export interface CurrentMetric extends MetricHead, Omit<MetricSummary, 'name'> {
  approvedVersion: number | null;
  latestVersion: number;
}

/** `versions`: the approved and the newest version of each metric, in ascending order. */
export function currentHeads(
  versions: readonly MetricHead[],
): (MetricHead & Pick<CurrentMetric, 'approvedVersion' | 'latestVersion'>)[] {
  return [...Map.groupBy(versions, ({ name }) => name).values()].map((known) => {
    const approved = known.find(({ state }) => state === 'approved');
    const latest = known.at(-1)!;
    return {
      ...(approved ?? latest),
      approvedVersion: approved?.version ?? null,
      latestVersion: latest.version,
    };
  });
}

export function definedMetric(stored: StoredMetric, approvedVersion: number | null): DefinedMetric {
  const { name, version, state } = stored;
  const { title, formula, format, unit, goodDirection } = stored.definition;
  return { name, version, state, title, formula, format, unit, goodDirection, approvedVersion };
}

const MAX_LISTED_TEXT = 200;

export function listedMetric({ name, title, state, unit, description }: CurrentMetric) {
  return { name, title, state, ...(unit && { unit }), ...(description && { description }) };
}

/** The members of a term that lists and searches need. */
export interface TermSummary extends FindableTerm {
  term: string;
  /** Its beginning. */
  definition: string;
  synonyms: readonly string[];
  metric: string | undefined;
}

export function termSummary(stored: StoredTerm): TermSummary {
  const { term, definition, synonyms = [], metric } = stored;
  return { ...findableTerm(stored), term, definition: shortened(definition), synonyms, metric };
}

export function listedTerm({ term, definition, metric }: TermSummary) {
  return { term, definition, ...(metric && { metric }) };
}

/** The texts that a search for terms looks at. */
export function namesOfTerm({ term, synonyms }: TermSummary): string {
  return [term, ...synonyms].join('\n');
}

function shortened(text: string): string {
  return text.length <= MAX_LISTED_TEXT ? text : `${text.slice(0, MAX_LISTED_TEXT).toWellFormed()}…`;
}

export function shownVersion({ definition, createdAt, decidedAt, ...version }: StoredMetric): ShownVersion {
  return {
    ...definition,
    ...version,
    createdAt: formatUtc(createdAt),
    decidedAt: decidedAt === null ? null : formatUtc(decidedAt),
  };
}

export function shownMetric(
  stored: StoredMetric,
  { state, decidedAt, decidedBy, approvedVersion, latestVersion }: CurrentMetric,
): ShownMetric {
  return { ...shownVersion({ ...stored, state, decidedAt, decidedBy }), approvedVersion, latestVersion };
}

export function shownTerm({ createdAt, updatedAt, ...term }: StoredTerm): ShownTerm {
  return { ...term, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}

/** The differences, member by member. A member that one side lacks is left out of its change. */
export function metricChanges(before: unknown, after: unknown, path: PropertyKey[] = []): MemberChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === null || other === null || Array.isArray(before) !== Array.isArray(after)) {
    const sides = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    return [{ path: formatPath(path), ...sides }];
  }
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].flatMap((key) => metricChanges(one.get(key), other.get(key), [...path, key]));
}

function membersOf(value: unknown): Map<PropertyKey, unknown> | null {
  if (Array.isArray(value)) return new Map(value.entries());
  return isObject(value) ? new Map(Object.entries(value)) : null;
}
