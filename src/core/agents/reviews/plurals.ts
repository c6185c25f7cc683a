import { fold } from './fold.ts';

/** No plurals, although they end as plurals of other words do. */
const NO_PLURALS = new Set('após apos atrás atras dois duas país pões poes quis seis'.split(' '));

/**
 * Endings without accents: what precedes them, the plural's, and the singular's. A word may fit
 * several.
 */
const ENDINGS: readonly [before: string, plural: string, singular: string][] = [
  ['.', 'oes', 'ao'],
  ['.', 'aes', 'ao'],
  ['.', 'ns', 'm'],
  // login, plugin, token; hífen, líquen, pólen, sêmen, abdômen, éden
  ['logi|plugi|toke|hife|lique|pole|seme|abdome|ede', 'ns', 'n'],
  ['[aeiou]', 'res', 'r'],
  ['[aeiou]', 'zes', 'z'],
  // inglês, país, deus, gás
  ['e|ai|eu|ga', 'ses', 's'],
  ['..', 'ais', 'al'],
  ['..', 'eis', 'el'],
  ['..', 'eis', 'il'],
  ['..[^aeou]', 'is', 'il'],
  ['..', 'ois', 'ol'],
  ['..', 'uis', 'ul'],
  // Not where a longer ending fits: `capitai` has the stem of `capitão`.
  ['.[^nsxz](?<!..[aeu]i|.[ao]e)', 's', ''],
];

const RULES = ENDINGS.map(([before, plural, singular]) => ({
  ending: new RegExp(`(?<=${before})${plural}$`),
  singular,
}));

/**
 * What a word may be the plural of, without accents. Some do not exist: `papéis` gives `papel` and
 * `papil`.
 */
export function singularsOf(word: string): string[] {
  const folded = fold(word);
  if (NO_PLURALS.has(word) || !/^[a-z]+s$/.test(folded)) return [];
  const rules = RULES.filter(({ ending }) => ending.test(folded));
  return rules.map(({ ending, singular }) => folded.replace(ending, singular));
}
