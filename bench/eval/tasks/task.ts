import type { Facts } from '../facts.ts';

/** What an answer must say: this number, this name, or a match. */
export type Expected = number | string | RegExp;

/**
 * Members that something stored must have. A function judges a member, a list matches when each of
 * its items fits an item.
 */
export type Pattern = { [member: string]: unknown };

/** By noun: each pattern must fit something that the task made or changed, or removed. */
export interface Expectation {
  tabs?: Pattern[];
  cards?: Pattern[];
  gaps?: Pattern[];
  annotations?: Pattern[];
  metrics?: Pattern[];
  alerts?: Pattern[];
  removed?: Pattern[];
}

/** Either what is answered or what the server holds afterwards. */
export interface Task {
  name: string;
  ask: string | ((facts: Facts) => string);
  answer?(facts: Facts): Expected;
  holds?(facts: Facts): Expectation;
}
