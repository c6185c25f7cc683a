import type { Facts } from '../facts.ts';
import type { Task } from './task.ts';

/** How much more of them there were in the last 7 whole days than in the 7 before. */
function rise(facts: Facts, eventName: string, where: Record<string, unknown>): number {
  return facts.count(eventName, facts.days(7), where) - facts.count(eventName, facts.days(7, 7), where);
}

export const explain: Task[] = [
  {
    name: 'explain-rate-by-topic',
    ask: 'The resolution rate of the 7 whole days before today is below that of the 7 days before. Whose own rate fell most, by topic? Answer with the topic.',
    answer: (facts) => {
      const rate = (topic: string, before: number) =>
        facts.share('conversation_resolved', 'conversation_started', facts.days(7, before), { topic });
      return facts.ranked(
        'conversation_started',
        'topic',
        facts.days(7),
        (topic) => rate(topic, 7) - rate(topic, 0),
      )[0]!;
    },
  },
  {
    name: 'explain-escalations',
    ask: 'Why do more conversations escalate in the 7 whole days before today than in the 7 days before? Answer with the reason that rose most.',
    answer: (facts) =>
      facts.ranked('conversation_escalated', 'reason', facts.days(7), (reason) =>
        rise(facts, 'conversation_escalated', { reason }),
      )[0]!,
  },
  {
    name: 'explain-tools',
    ask: 'Failed tool calls (tool_called without success) rose in the 7 whole days before today against the 7 days before. Which tool carries most of the rise?',
    answer: (facts) =>
      facts.ranked('tool_called', 'tool', facts.days(7), (tool) =>
        rise(facts, 'tool_called', { tool, success: false }),
      )[0]!,
  },
  {
    name: 'explain-annotation',
    ask: 'Something happened in the last week that is marked on our charts and may explain the lower resolution rate of these days. What was it?',
    answer: () => /outage.*payment|payment.*outage/i,
  },
];
