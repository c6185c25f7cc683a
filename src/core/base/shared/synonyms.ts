import { stemmer } from '@orama/stemmers/english';

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

/** Of verbs such as `check out`, whose nouns are one word. */
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
