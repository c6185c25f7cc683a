import { stemsOf, synonymsOf } from '../../base/shared/alike-names.ts';
import { searchKey } from '../../base/shared/text-search.ts';
import type { GlossaryTerm, MetricDefinition } from './schema.ts';

/** The words that a metric is found by, made once for each of its definitions. */
export interface FindableMetric {
  name: string;
  /** Its title and its synonyms, as `wordsOf` has them. */
  spellings: readonly string[];
  /** Word stems of name and title; of its synonyms; of its description. */
  named: ReadonlySet<string>;
  synonyms: readonly ReadonlySet<string>[];
  described: ReadonlySet<string>;
}

/**
 * Characters of each field that are made to stems: a thousand metrics with long texts would take
 * seconds.
 */
const MAX_STEMMED = 500;

export function findable(name: string, { title, synonyms = [], description = '' }: MetricDefinition): FindableMetric {
  return {
    name,
    spellings: [title, ...synonyms].map(wordsOf),
    named: stemsIn([name, title]),
    synonyms: [stemsIn(synonyms)],
    described: stemsIn([description]),
  };
}

/** With the words that mean the metric. */
export function withMeaning<Metric extends FindableMetric>(metric: Metric, terms: readonly FindableTerm[]): Metric {
  if (terms.length === 0) return metric;
  return {
    ...metric,
    spellings: [...metric.spellings, ...terms.flatMap(({ spellings }) => spellings)],
    synonyms: [...metric.synonyms, ...terms.map(({ stems }) => stems)],
  };
}

export interface FindableTerm {
  spellings: readonly string[];
  stems: ReadonlySet<string>;
}

export function findableTerm({ term, synonyms = [] }: GlossaryTerm): FindableTerm {
  return { spellings: [term, ...synonyms].map(wordsOf), stems: stemsIn([term, ...synonyms]) };
}

function stemsIn(texts: readonly string[]): Set<string> {
  return new Set(texts.join('\n').slice(0, MAX_STEMMED).split('\n').flatMap(stemsOf));
}

/**
 * Metrics whose name, title or synonym is the text, but for case, accents and what separates the
 * words.
 */
export function metricsNamed<Metric extends FindableMetric>(metrics: readonly Metric[], text: string): Metric[] {
  const wanted = wordsOf(text);
  const byName = metrics.filter(({ name }) => wordsOf(name) === wanted);
  if (byName.length > 0) return byName;
  return metrics.filter(({ spellings }) => spellings.includes(wanted));
}

function wordsOf(text: string): string {
  return (searchKey(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

const MAX_WORDS = 12;
const NAMED = 3;
const DESCRIBED = 1;
/** A synonym counts less than the word itself. */
const SYNONYM = 0.5;

/**
 * Metrics that share words with the text, best first. A word counts less the more of the metrics
 * have it (inverse document frequency), and more in a name, title or synonym than in a description.
 */
export function rankMetrics<Metric extends FindableMetric>(metrics: readonly Metric[], text: string): Metric[] {
  const words = stemsOf(text).slice(0, MAX_WORDS);
  const scores = metrics.map(() => 0);
  for (const word of words) {
    const alike = synonymsOf(word);
    const found = metrics.map(({ named, synonyms, described }) =>
      Math.max(
        ...[named, ...synonyms].map((stems) => NAMED * likeness(stems, word, alike)),
        DESCRIBED * likeness(described, word, alike),
      ),
    );
    const having = found.filter((one) => one > 0).length;
    if (having === 0) continue;
    const rarity = Math.log(1 + metrics.length / having);
    for (const [index, one] of found.entries()) scores[index]! += one * rarity;
  }
  return metrics
    .map((metric, index) => ({ metric, score: scores[index]!, surplus: surplusOf(metric, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.surplus - other.surplus)
    .map(({ metric }) => metric);
}

/** Words of the name and title that were not asked for. */
function surplusOf({ named }: FindableMetric, words: string[]): number {
  return [...named].filter((stem) => !words.includes(stem)).length;
}

function likeness(stems: ReadonlySet<string>, word: string, alike: readonly string[]): number {
  if (stems.has(word)) return 1;
  return alike.some((synonym) => stems.has(synonym)) ? SYNONYM : 0;
}
