import type { DefinedMetric } from '../events/questions/kpi-question.ts';
import { formatUtc } from '../events/time.ts';
import type { FindableMetric } from './find.ts';
import type { ShownMetric, ShownTerm, ShownVersion } from './schema.ts';
import type { StoredMetric, StoredTerm } from './store.ts';

/** The version that the name alone stands for: the approved one, or else the newest. */
export interface CurrentMetric extends StoredMetric, FindableMetric {
  approvedVersion: number | null;
  latestVersion: number;
}

/** `versions`: the approved and the newest version of each metric, in ascending order. */
export function currentMetrics(versions: readonly StoredMetric[], terms: readonly StoredTerm[]): CurrentMetric[] {
  const byName = Map.groupBy(versions, ({ name }) => name);
  return [...byName].map(([name, known]) => {
    const approved = known.find(({ state }) => state === 'approved');
    const latest = known.at(-1)!;
    const meaning = terms.filter(({ metric }) => metric === name);
    const current = approved ?? latest;
    const { title, synonyms = [], description = '' } = current.definition;
    return {
      ...current,
      title,
      description,
      synonyms: [...synonyms, ...meaning.flatMap((term) => [term.term, ...(term.synonyms ?? [])])],
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

export function listedMetric({ name, title, state, definition: { unit, description } }: CurrentMetric) {
  return { name, title, state, ...(unit && { unit }), ...(description && { description: shortened(description) }) };
}

export function listedTerm({ term, definition, metric }: StoredTerm) {
  return { term, definition: shortened(definition), ...(metric && { metric }) };
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

export function shownMetric(metric: CurrentMetric): ShownMetric {
  const { title: _t, synonyms: _s, description: _d, approvedVersion, latestVersion, ...stored } = metric;
  return { ...shownVersion(stored), approvedVersion, latestVersion };
}

export function shownTerm({ createdAt, updatedAt, ...term }: StoredTerm): ShownTerm {
  return { ...term, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
