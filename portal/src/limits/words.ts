import type { Schemas } from '../api/schemas.ts';
import { t } from '../language/index.ts';
import { conditions } from '../question/filters/words.ts';

/** As answers have them. */
export type ShownLimits = NonNullable<Schemas['ApiKey']['limits']>;

/** "Only agent support; only country is BR". */
export function limitsInWords(limits: ShownLimits): string {
  const words = wordsOf(limits);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sentence on all limits of the user, or of a thing; there is at least one. */
export function heldTo(limits: readonly ShownLimits[], held: 'user' | 'thing' = 'user'): string {
  const all = { limits: limits.map(wordsOf).join('; ') };
  return held === 'user'
    ? t('You are held to a part of the tenant: {limits}.', all)
    : t('It is held to a part of the tenant: {limits}.', all);
}

function wordsOf(limits: ShownLimits): string {
  const { agents = [], eventNames = [], filters, segment, vectorStores = [], connectors = [], models = [] } = limits;
  const named = (words: (count: number, names: { names: string }) => string, names: readonly string[]) =>
    names.length === 0 ? [] : [words(names.length, { names: names.join(', ') })];
  return [
    ...named((count, names) => t.count(count, 'only agent {names}', 'only agents {names}', names), agents),
    ...named((count, names) => t.count(count, 'only event {names}', 'only events {names}', names), eventNames),
    ...conditions(filters).map((condition) => t('only {condition}', { condition })),
    ...(segment === undefined ? [] : [t('only segment {name}', { name: segment })]),
    ...named(
      (count, names) => t.count(count, 'only vector store {names}', 'only vector stores {names}', names),
      vectorStores,
    ),
    ...named((count, names) => t.count(count, 'only connector {names}', 'only connectors {names}', names), connectors),
    ...named((count, names) => t.count(count, 'only model {names}', 'only models {names}', names), models),
  ].join('; ');
}
