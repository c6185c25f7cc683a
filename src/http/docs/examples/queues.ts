import type { Examples } from './example.ts';

const queue = {
  name: 'slow_answers',
  title: 'Slow answers about deliveries',
  filters: { agentId: 'support', tag: 'delivery', minLatencyMs: 1_500 },
  assessors: 1,
  ...{ waiting: 1, done: 0 },
  createdAt: '2026-03-02T10:21:07.000Z',
  createdBy: 'test',
  updatedAt: '2026-03-02T10:21:07.000Z',
};
const { waiting: _, done: __, createdAt: ___, createdBy: ____, updatedAt: _____, ...created } = queue;
const byName = { name: queue.name };
const item = { executionId: 'run-1042', leaseUntil: '2026-03-02T10:31:22.000Z' };
const ofItem = { ...byName, executionId: item.executionId };
const person = { type: 'key', id: '4vT0cXnB2mQa', label: 'test', done: 1, skipped: 0 };

export const queuesExamples: Examples = {
  postObservabilityQueues: {
    slow: {
      summary: 'Slow answers about deliveries',
      body: created,
      status: 201,
      answer: { ...queue, people: [] },
    },
  },
  getObservabilityQueues: {
    all: { summary: 'All of them', answer: { queues: [queue], nextCursor: null, total: 1 } },
  },
  postObservabilityQueuesNameNext: {
    oldest: { summary: 'The oldest', params: byName, body: {}, answer: { item, waiting: 1, done: 0 } },
  },
  postObservabilityQueuesNameItemsExecutionIdSkip: {
    later: { summary: 'Not for this person', params: ofItem, body: {}, answer: { item: null, waiting: 1, done: 0 } },
  },
  postObservabilityQueuesNameItemsExecutionIdRelease: {
    undo: { summary: 'The skipped one after all', params: ofItem, body: {}, answer: { item, waiting: 1, done: 0 } },
  },
  postObservabilityQueuesNameItemsExecutionIdDone: {
    reviewed: { summary: 'It has its review', params: ofItem, body: {}, answer: { item: null, waiting: 0, done: 1 } },
  },
  getObservabilityQueuesName: {
    progress: {
      summary: 'With what each person did',
      params: byName,
      answer: { ...queue, waiting: 0, done: 1, people: [person] },
    },
  },
  patchObservabilityQueuesName: {
    two: {
      summary: 'Two people look at each',
      params: byName,
      body: { assessors: 2, title: null },
      answer: {
        ...Object.fromEntries(Object.entries(queue).filter(([name]) => name !== 'title')),
        ...{ assessors: 2, waiting: 1, done: 0, people: [person] },
      },
    },
  },
  deleteObservabilityQueuesName: { unused: { summary: 'A queue that nobody needs', params: byName } },
};
