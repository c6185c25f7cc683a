import { areSynonyms, stemsOf } from '../shared/synonyms.ts';
import { searchKey } from '../shared/text-search.ts';

/** What a metric can be found by. */
export interface FindableMetric {
  name: string;
  title: string;
  /** Its own and those of the terms that mean it, with the terms themselves. */
  synonyms: readonly string[];
  description: string;
}

/** Metrics whose name, title or synonym is the text, but for case, accents and what separates the words. */
export function metricsNamed<Metric extends FindableMetric>(metrics: readonly Metric[], text: string): Metric[] {
  const wanted = wordsOf(text);
  const byName = metrics.filter(({ name }) => wordsOf(name) === wanted);
  if (byName.length > 0) return byName;
  return metrics.filter(({ title, synonyms }) => [title, ...synonyms].some((one) => wordsOf(one) === wanted));
}

function wordsOf(text: string): string {
  return (searchKey(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

const MAX_WORDS = 12;
const FIELDS = [
  { weight: 3, textsOf: ({ name, title }: FindableMetric) => [name, title] },
  { weight: 3, textsOf: ({ synonyms }: FindableMetric) => synonyms },
  { weight: 1, textsOf: ({ description }: FindableMetric) => [description] },
];
/** A synonym counts less than the word itself. */
const SYNONYM = 0.5;

/**
 * Metrics that share words with the text, best first. A word counts less the more of the metrics have it
 * (inverse document frequency), and more in a name, title or synonym than in a description.
 */
export function rankMetrics<Metric extends FindableMetric>(metrics: readonly Metric[], text: string): Metric[] {
  const words = stemsOf(text).slice(0, MAX_WORDS);
  const documents = metrics.map(documentOf);
  const scores = metrics.map(() => 0);
  for (const word of words) {
    const found = documents.map((fields) =>
      Math.max(...fields.map(({ weight, stems }) => weight * likeness(stems, word))),
    );
    const having = found.filter((one) => one > 0).length;
    if (having === 0) continue;
    const rarity = Math.log(1 + metrics.length / having);
    for (const [index, one] of found.entries()) scores[index]! += one * rarity;
  }
  return metrics
    .map((metric, index) => ({ metric, score: scores[index]!, surplus: surplusOf(documents[index]!, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.surplus - other.surplus)
    .map(({ metric }) => metric);
}

type Document = { weight: number; stems: Set<string> }[];

function documentOf(metric: FindableMetric): Document {
  return FIELDS.map(({ weight, textsOf }) => ({ weight, stems: new Set(textsOf(metric).flatMap(stemsOf)) }));
}

/** Words of the name and title that were not asked for. */
function surplusOf([named]: Document, words: string[]): number {
  return [...named!.stems].filter((stem) => !words.includes(stem)).length;
}

function likeness(stems: Set<string>, word: string): number {
  if (stems.has(word)) return 1;
  return [...stems].some((stem) => areSynonyms(stem, word)) ? SYNONYM : 0;
}
