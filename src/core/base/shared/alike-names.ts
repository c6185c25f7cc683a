import { distance } from 'fastest-levenshtein';
import { listNames, nearestNames } from './names.ts';
import { areSynonyms, stemsOf } from './synonyms.ts';

const MAX_ALIKE = 5;
/**
 * Callers choose the names on both sides, and a comparison holds up the whole server: 2,000 names
 * take some 20 ms.
 */
const MAX_NAMES = 2_000;
const MAX_LENGTH = 80;
const MAX_WORDS = 8;
/** A synonym counts less than the word itself. */
const SYNONYM = 0.5;
/** Names with less than this share of the best score are left out. */
const WORTH_NAMING = 0.5;
/** `number of orders` is about orders. */
const FILLERS = new Set(['a', 'an', 'the', 'of', 'in', 'on', 'for', 'by', 'per', 'and', 'or', 'to', 'all']);

interface Alike {
  name: string;
  score: number;
  /** Whether every word of the wanted name was found. */
  isComplete: boolean;
}

/**
 * Names of events, properties, cards and the like that share word stems or synonyms with `name`,
 * best first, then names that are spelled like it. A word counts less the more of the known names
 * have it. Ties keep the order of `known`. Of more than 2,000 known names the first are compared,
 * of a name its first 80 characters.
 */
export function alikeNames(name: string, known: readonly string[]): string[] {
  const wanted = name.slice(0, MAX_LENGTH);
  const names = known.slice(0, MAX_NAMES);
  const byWords = namesByWords(wanted, names);
  const bySpelling = nearestNames(
    wanted,
    names.filter((one) => one.length <= MAX_LENGTH),
  );
  // `ticket_opend` shares a word with `ticket_closed`, but is spelled like `ticket_opened`.
  const isMisspelled = byWords.length > 0 && !byWords[0]!.isComplete;
  const sharing = byWords.map((alike) => alike.name);
  const ranked = isMisspelled ? [...bySpelling, ...sharing] : [...sharing, ...bySpelling];
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

function namesByWords(wanted: string, names: readonly string[]): Alike[] {
  const words = stemsOf(wanted)
    .filter((word) => !FILLERS.has(word))
    .slice(0, MAX_WORDS);
  const stems = names.map((name) => stemsOf(name.slice(0, MAX_LENGTH)));
  // Of each word: how far each name has it.
  const likenesses = words.map((word) => stems.map((one) => likeness(one, word)));
  const weights = likenesses.map((ofWord) => 1 / Math.max(1, ofWord.filter((one) => one > 0).length));
  const alike = names.flatMap((name, index): Alike[] => {
    const scores = likenesses.map((ofWord, word) => ofWord[index]! * weights[word]!).filter((score) => score > 0);
    if (scores.length === 0) return [];
    return [{ name, score: scores.reduce((sum, score) => sum + score), isComplete: scores.length === words.length }];
  });
  alike.sort((one, other) => compare(wanted, one, other));
  return alike.filter(({ score }) => score >= alike[0]!.score * WORTH_NAMING);
}

function likeness(stems: readonly string[], word: string): number {
  if (stems.includes(word)) return 1;
  return stems.some((stem) => areSynonyms(stem, word)) ? SYNONYM : 0;
}

function compare(wanted: string, one: Alike, other: Alike): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.isComplete ? 0 : distance(wanted, one.name) - distance(wanted, other.name);
}
