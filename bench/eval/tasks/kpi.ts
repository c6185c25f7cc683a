import { mean, median, sum } from '../facts.ts';
import type { Task } from './task.ts';

export const kpi: Task[] = [
  {
    name: 'kpi-conversations',
    ask: 'How many conversations started in the 7 whole days before today?',
    answer: (facts) => facts.count('conversation_started', facts.days(7)),
  },
  {
    name: 'kpi-resolution-rate',
    ask: 'What was the resolution rate of the 7 whole days before today, in percent with one decimal?',
    answer: (facts) => facts.share('conversation_resolved', 'conversation_started', facts.days(7)),
  },
  {
    name: 'kpi-change',
    ask: 'By how many conversations more did we have in the 7 whole days before today than in the 7 days before those?',
    answer: (facts) =>
      facts.count('conversation_started', facts.days(7)) - facts.count('conversation_started', facts.days(7, 7)),
  },
  {
    name: 'kpi-refunds',
    ask: 'How much money in US dollars did we pay back in the 30 whole days before today?',
    answer: (facts) => sum(facts.values('refund_issued', 'amount', facts.days(30))),
  },
  {
    name: 'kpi-score',
    ask: 'What was the average score of customers on the plan pro in the 30 whole days before today, with two decimals?',
    answer: (facts) => mean(facts.values('feedback_given', 'score', facts.days(30), { plan: 'pro' })),
  },
  {
    name: 'kpi-minutes',
    ask: 'What was the median time to a solution by e-mail (channel email) in the 14 whole days before today, in minutes?',
    answer: (facts) => median(facts.values('conversation_resolved', 'minutes', facts.days(14), { channel: 'email' })),
  },
  {
    name: 'kpi-nested',
    ask: 'How many conversations of customers in Brazil (BR) started in the 30 whole days before today?',
    answer: (facts) =>
      facts
        .select('conversation_started', facts.days(30))
        .filter(({ properties }) => (properties.customer as { country: string }).country === 'BR').length,
  },
  {
    name: 'kpi-busiest-day',
    ask: 'On which of the 14 whole days before today did most conversations start? Answer with the date as YYYY-MM-DD.',
    answer: (facts) => {
      const started = facts.select('conversation_started', facts.days(14));
      const days = Map.groupBy(started, ({ timestamp }) => timestamp.slice(0, 10));
      return [...days].sort(([, one], [, other]) => other.length - one.length)[0]![0];
    },
  },
];
