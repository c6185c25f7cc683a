import type { Task } from './task.ts';

/** Of the page of help; no number of it is in the events. */
export const knowledge: Task[] = [
  {
    name: 'knowledge-refund',
    ask: 'A customer asks how long it takes until an approved refund arrives. What does our help say?',
    answer: () => /(five|5) working days/i,
  },
  {
    name: 'knowledge-password',
    ask: 'How long does a link to set a new password work, by our help?',
    answer: () => /(one|1|an) hour|60 minutes/i,
  },
  {
    name: 'knowledge-shipping',
    ask: 'Within how many days does a card reader arrive in Brazil, by our help?',
    answer: () => /(three|3) ?(to|-|–) ?(eight|8)/i,
  },
];
