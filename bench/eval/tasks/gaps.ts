import type { Task } from './task.ts';

/** Nothing that is stored answers these: a good agent reports it instead of guessing. */
export const gaps: Task[] = [
  {
    name: 'gap-partners',
    ask: 'How many conversations of the last 30 days came from customers of our partner programme?',
    holds: () => ({ gaps: [{ question: /partner/i }] }),
  },
  {
    name: 'gap-revenue',
    ask: 'What was our revenue from subscriptions in the last quarter?',
    holds: () => ({ gaps: [{ question: /revenue|subscription/i }] }),
  },
  {
    name: 'gap-document',
    ask: 'What discount do students get, by our help pages?',
    holds: () => ({ gaps: [{ question: /student|discount/i }] }),
  },
];
