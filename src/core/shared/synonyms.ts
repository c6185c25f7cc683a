import { stemmer } from '@orama/stemmers/english';

/** Words of business events and their properties that mean much the same; one group a line. */
const GROUPS = [
  'order purchase sale buy bought transaction deal',
  'checkout payment pay paid charge billing',
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
];

const CONCEPTS = new Map<string, Set<number>>();
for (const [index, group] of GROUPS.entries()) {
  for (const word of group.split(' ')) {
    const stem = stemmer(word);
    CONCEPTS.set(stem, (CONCEPTS.get(stem) ?? new Set()).add(index));
  }
}

/** Word stems of a name such as `order_completed`, `orderCompleted` or `Order completed`, in lower case. */
export function stemsOf(name: string): string[] {
  const words = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return [...new Set((words.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => stemmer(word)))];
}

/** Stems that mean much the same as a stem. */
export function synonymsOf(stem: string): string[] {
  return CONCEPTS.has(stem) ? [...CONCEPTS.keys()].filter((other) => areSynonyms(stem, other)) : [];
}

/** Of two stems. */
export function areSynonyms(one: string, other: string): boolean {
  const concepts = CONCEPTS.get(one);
  return concepts !== undefined && [...concepts].some((concept) => CONCEPTS.get(other)?.has(concept));
}
