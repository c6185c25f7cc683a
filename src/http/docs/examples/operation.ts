import type { Examples } from './example.ts';

export const operationExamples: Examples = {
  getHealthz: { alive: { summary: 'A process that answers', status: 200, answer: { status: 'ok' } } },
  getReadyz: { ready: { summary: 'A server whose stores answer', status: 200, answer: { status: 'ready' } } },
};
