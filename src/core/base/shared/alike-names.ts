import { stemmer } from '@orama/stemmers/english';
import { distance } from 'fastest-levenshtein';
import { listNames, nearestNames } from './names.ts';

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
  // For each word, how far each name has it.
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

/** Words of business events and their properties that mean much the same; one group a line. */
const GROUPS = [
  'order purchase sale sell sold buy bought transaction deal',
  'checkout payment pay paid repay repayment repaid payout charge billing',
  'revenue amount price total income turnover spend paid value',
  'customer user client buyer account member person contact',
  'signup sign register registration subscribe join enroll',
  'login log signin',
  'logout signout',
  'cancel churn unsubscribe terminate',
  'refund reimburse chargeback return',
  'complete finish done close resolve success succeed',
  'start begin open create initiate launch',
  'fail failure error exception crash reject decline',
  'ticket case incident',
  'conversation chat thread session dialog',
  'message msg text reply answer response',
  'feedback rating score csat nps satisfaction survey review star',
  'visit view pageview page hit impression',
  'click tap press',
  'country region location place nation',
  'plan tier package subscription edition',
  'duration time latency minute second elapsed length',
  'product item sku article goods',
  'channel source medium origin',
  'quantity qty number count unit',
  'email mail newsletter',
  'agent bot assistant',
  'escalate handoff transfer handover',
  'deliver ship shipment dispatch fulfil fulfill',
  'send sent',
  'win won',
  'lose lost loss',
  'build built',
  'break broke broken',
  'give gave given gift',
  'choose chose chosen choice',
  'steal stole stolen theft',
  'withdraw withdrew withdrawn withdrawal',
  'grow grew grown growth',
  'add added addition',
  'decide decision',
  'receive receipt',
  'prove proof',
];

const CONCEPTS = new Map<string, Set<number>>();
for (const [index, group] of GROUPS.entries()) {
  for (const word of group.split(' ')) {
    const stem = stemmer(word);
    CONCEPTS.set(stem, (CONCEPTS.get(stem) ?? new Set()).add(index));
  }
}

/** Particles of verbs such as `check out`, whose nouns are one word. */
const PARTICLES = new Set(['back', 'down', 'in', 'off', 'on', 'out', 'over', 'up']);

/**
 * Word stems of a name such as `order_completed`, `orderCompleted` or `Order completed`, in lower
 * case; of `timed_out` also `timeout`.
 */
export function stemsOf(name: string): string[] {
  const spaced = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words.flatMap((word, at) =>
    PARTICLES.has(words[at + 1] ?? '') ? [stemmer(word) + words[at + 1]] : [],
  );
  return [...new Set([...words.map((word) => stemmer(word)), ...joined])];
}

/** Stems that mean much the same as a stem. */
export function synonymsOf(stem: string): string[] {
  return CONCEPTS.has(stem) ? [...CONCEPTS.keys()].filter((other) => areSynonyms(stem, other)) : [];
}

/** Whether two stems mean much the same, or are a noun and its verb. */
export function areSynonyms(one: string, other: string): boolean {
  if (one.startsWith(other.slice(0, LEAST_ROOT)) && rootOf(one) === rootOf(other)) return true;
  const concepts = CONCEPTS.get(one);
  return concepts !== undefined && [...concepts].some((concept) => CONCEPTS.get(other)?.has(concept));
}

const LEAST_ROOT = 4;

/**
 * Equal for `deliveri` and `deliv`, `resolu` and `resolv`, `complet` and `completion`: the stemmer
 * keeps these apart.
 */
function rootOf(stem: string): string {
  const shorter = stem.replace(/(?<=.{4})(?:eri|ion|ur|al|i|e)$|(?<=.{5})(?:[bcdnpstuv]|sh)$/, '');
  return shorter === stem ? stem : rootOf(shorter);
}
