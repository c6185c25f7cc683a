import type { Facts } from '../facts.ts';
import type { Task } from './task.ts';

/** Saved before the tasks begin; its answer is computed below. */
export const SEGMENT = {
  name: 'unhappy_conversations',
  title: 'Unhappy conversations',
  description: 'Conversations whose customer gave a score of 1 or 2.',
  by: 'threadId',
  conditions: [{ eventName: 'feedback_given', filters: [{ propertyKey: 'score', operator: 'lte', value: 2 }] }],
};

function ofUnhappy(facts: Facts, eventName: string) {
  const unhappy = facts.events.filter(
    (event) => event.eventName === 'feedback_given' && Number(event.properties.score) <= 2,
  );
  const threads = new Set(unhappy.map(({ threadId }) => threadId));
  return facts.select(eventName, facts.days(30)).filter(({ threadId }) => threads.has(threadId));
}

export const segments: Task[] = [
  {
    name: 'segment-conversations',
    ask: 'How many of the conversations that started in the 30 whole days before today are among our saved unhappy conversations?',
    answer: (facts) => ofUnhappy(facts, 'conversation_started').length,
  },
  {
    name: 'segment-escalations',
    ask: 'How many escalations of the 30 whole days before today happened in our saved unhappy conversations?',
    answer: (facts) => ofUnhappy(facts, 'conversation_escalated').length,
  },
];
