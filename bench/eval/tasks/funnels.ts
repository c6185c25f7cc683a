import type { Facts } from '../facts.ts';
import type { Task } from './task.ts';

const STARTED = 'conversation_started';

/** The week that the 14th whole day before today lies in, from Monday. */
function week(facts: Facts) {
  const { from } = facts.days(14);
  const monday = from - ((new Date(from).getUTCDay() + 6) % 7) * 86_400_000;
  return { from: monday, to: monday + 7 * 86_400_000 };
}

const dateOf = (facts: Facts) => new Date(week(facts).from).toISOString().slice(0, 10);

/** Conversations of that week in which the event came in it, too. */
function within(facts: Facts, eventName: string): number {
  const ended = new Set(facts.select(eventName, week(facts)).map(({ threadId }) => threadId));
  return facts.select(STARTED, week(facts)).filter(({ threadId }) => ended.has(threadId)).length;
}

export const funnels: Task[] = [
  {
    name: 'funnel-card',
    ask: 'How many conversations reached the last step of the card "From question to feedback"?',
    answer: (facts) =>
      facts.inOrder({ from: facts.days(30).from, to: Number.POSITIVE_INFINITY }, [
        STARTED,
        'agent_replied',
        'conversation_resolved',
        'feedback_given',
      ]),
  },
  {
    name: 'funnel-largest-loss',
    ask: 'After which step does the card "From question to feedback" lose most conversations? Answer with the label of the step that they do not reach.',
    answer: (facts) => {
      const range = { from: facts.days(30).from, to: Number.POSITIVE_INFINITY };
      const resolved = facts.inOrder(range, [STARTED, 'agent_replied', 'conversation_resolved']);
      const rated = facts.inOrder(range, [STARTED, 'agent_replied', 'conversation_resolved', 'feedback_given']);
      return facts.count(STARTED, range) - resolved > resolved - rated ? 'resolved' : 'rated';
    },
  },
  {
    name: 'retention-size',
    ask: (facts) => `How many conversations (threadId) first appeared in the week that began on ${dateOf(facts)}?`,
    answer: (facts) => facts.count(STARTED, week(facts)),
  },
  {
    name: 'retention-escalated',
    ask: (facts) =>
      `Of the conversations that started in the week that began on ${dateOf(facts)}, how many were escalated in that same week?`,
    answer: (facts) => within(facts, 'conversation_escalated'),
  },
];
