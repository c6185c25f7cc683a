import { distance } from 'fastest-levenshtein';
import { listNames, nearestNames } from './names.ts';
import { areSynonyms, stemsOf } from './synonyms.ts';

const MAX_ALIKE = 5;
const MAX_WORDS = 8;
/** A synonym counts less than the word itself. */
const SYNONYM = 0.5;
/** Names with less than this share of the best score are left out. */
const WORTH_NAMING = 0.5;

interface Alike {
  name: string;
  score: number;
  /** Every wanted word was found. */
  whole: boolean;
}

/**
 * Names of events, properties, cards and the like that share word stems or synonyms with `name`, best first, then names that
 * are spelled like it. A word counts less the more of the known names have it. Ties keep the order of `known`.
 */
export function alikeNames(name: string, known: readonly string[]): string[] {
  const wanted = stemsOf(name).slice(0, MAX_WORDS);
  const stems = new Map(known.map((one) => [one, stemsOf(one)]));
  const weights = new Map(
    wanted.map((word) => [
      word,
      1 /
        Math.max(
          1,
          count(stems.values(), (words) => likeness(words, word) > 0),
        ),
    ]),
  );
  const alike = known.flatMap((one) => score(one, stems.get(one)!, weights)).sort((a, b) => compare(name, a, b));
  const best = alike[0]?.score ?? 0;
  const sharing = alike.filter((one) => one.score >= best * WORTH_NAMING).map((one) => one.name);
  const spelled = nearestNames(name, known);
  const isMisspelled = alike.length > 0 && !alike[0]!.whole;
  // A misspelled name shares but its other words: `ticket_opend` is nearer to `ticket_opened` than to `ticket_closed`.
  const ranked = isMisspelled ? [...spelled, ...sharing] : [...sharing, ...spelled];
  return [...new Set(ranked)].slice(0, MAX_ALIKE);
}

/** `remedy` says how to create the first one. */
export function unknownName(noun: string, name: string, known: readonly string[], remedy: string): string {
  const unknown = `there is no ${noun} ${JSON.stringify(name)}`;
  const nearest = alikeNames(name, known);
  if (nearest.length > 0) return `${unknown}; nearest: ${listNames(nearest)}`;
  if (known.length > 0) return `${unknown}; known: ${listNames(known)}`;
  return `${unknown}, nor any other; ${remedy}`;
}

function score(name: string, stems: readonly string[], weights: ReadonlyMap<string, number>): Alike[] {
  const found = [...weights].map(([word, weight]) => likeness(stems, word) * weight).filter((worth) => worth > 0);
  if (found.length === 0) return [];
  return [{ name, score: found.reduce((sum, worth) => sum + worth, 0), whole: found.length === weights.size }];
}

function likeness(stems: readonly string[], word: string): number {
  if (stems.includes(word)) return 1;
  return stems.some((stem) => areSynonyms(stem, word)) ? SYNONYM : 0;
}

function compare(wanted: string, one: Alike, other: Alike): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.whole ? 0 : distance(wanted, one.name) - distance(wanted, other.name);
}

function count<Item>(items: Iterable<Item>, test: (item: Item) => boolean): number {
  let counted = 0;
  for (const item of items) if (test(item)) counted++;
  return counted;
}
