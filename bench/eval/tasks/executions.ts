import type { Facts } from '../facts.ts';
import type { Task } from './task.ts';

interface Recorded {
  status: string;
  startedAt: string;
  completedAt: string;
  steps: { kind: string; name: string; error?: unknown }[];
}

function recorded(facts: Facts) {
  return facts.executions.map(({ id, threadId, body }) => ({ id, threadId, ...(body as unknown as Recorded) }));
}

const failed = (facts: Facts) => recorded(facts).filter(({ status }) => status === 'failed');

export const executions: Task[] = [
  {
    name: 'executions-failed',
    ask: 'How many of the recorded agent runs (executions) failed?',
    answer: (facts) => failed(facts).length,
  },
  {
    name: 'executions-slowest',
    ask: 'Which failed agent run (execution) took longest? Answer with its conversation (threadId).',
    answer: (facts) => {
      const took = ({ startedAt, completedAt }: Recorded) => Date.parse(completedAt) - Date.parse(startedAt);
      return failed(facts).sort((one, other) => took(other) - took(one))[0]!.threadId;
    },
  },
  {
    name: 'executions-step',
    ask: (facts) => `Which tool failed in the agent run (execution) ${failed(facts)[0]!.id}?`,
    answer: (facts) => failed(facts)[0]!.steps.find(({ kind, error }) => kind === 'tool' && error !== undefined)!.name,
  },
];
