import { mean, sum } from '../facts.ts';
import type { Task } from './task.ts';

export const tables: Task[] = [
  {
    name: 'table-top-topic',
    ask: 'Which topic had most conversations in the 30 whole days before today?',
    answer: (facts) =>
      facts.ranked('conversation_started', 'topic', facts.days(30), (topic) =>
        facts.count('conversation_started', facts.days(30), { topic }),
      )[0]!,
  },
  {
    name: 'table-refunds-by-plan',
    ask: 'Which plan got the most money back in the 30 whole days before today, and how much? Answer with the amount in US dollars.',
    answer: (facts) =>
      Math.max(
        ...['free', 'pro', 'enterprise'].map((plan) =>
          sum(facts.values('refund_issued', 'amount', facts.days(30), { plan })),
        ),
      ),
  },
  {
    name: 'table-largest-refund',
    ask: 'What is the largest single refund of the 30 whole days before today, in US dollars?',
    answer: (facts) => Math.max(...facts.values('refund_issued', 'amount', facts.days(30))),
  },
  {
    name: 'table-latest-complaint',
    ask: 'In which conversation (threadId) did a customer last give the score 1, before today?',
    answer: (facts) => facts.select('feedback_given', facts.days(30), { score: 1 }).at(-1)!.threadId,
  },
  {
    name: 'table-faster-model',
    ask: 'Which model answered faster on average (latencyMs of agent_replied) in the 30 whole days before today?',
    answer: (facts) =>
      facts.ranked(
        'agent_replied',
        'model',
        facts.days(30),
        (model) => -mean(facts.values('agent_replied', 'latencyMs', facts.days(30), { model })),
      )[0]!,
  },
];
