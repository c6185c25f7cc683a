import type { Schemas } from '../api/schemas.ts';
import { conditions } from '../question/filters/words.ts';

/** As answers have them. */
export type ShownLimits = NonNullable<Schemas['ApiKey']['limits']>;

/** "Only agent support; only country is BR". */
export function limitsInWords(limits: ShownLimits): string {
  const words = wordsOf(limits);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sentence on all limits, of which there is at least one. */
export function heldTo(limits: readonly ShownLimits[], who = 'You are'): string {
  return `${who} held to a part of the tenant: ${limits.map(wordsOf).join('; ')}.`;
}

function wordsOf(limits: ShownLimits): string {
  const { agents, eventNames, filters, segment, vectorStores, connectors, models } = limits;
  const parts = [
    ...named('agent', agents),
    ...named('event', eventNames),
    ...conditions(filters),
    ...named('segment', segment === undefined ? [] : [segment]),
    ...named('vector store', vectorStores),
    ...named('connector', connectors),
    ...named('model', models),
  ];
  return parts.map((part) => `only ${part}`).join('; ');
}

function named(noun: string, names: readonly string[] = []): string[] {
  return names.length === 0 ? [] : [`${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`];
}
