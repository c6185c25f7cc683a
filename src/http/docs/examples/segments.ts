import type { Examples } from './example.ts';

const segment = {
  name: 'slow_tickets',
  title: 'Conversations with a slow ticket',
  by: 'threadId',
  conditions: [{ eventName: 'ticket_resolved', filters: [{ propertyKey: 'minutes', operator: 'gt', value: 20 }] }],
  createdAt: '2026-03-02T10:05:10.000Z',
  createdBy: 'test',
  updatedAt: '2026-03-02T10:05:10.000Z',
};
const { createdAt: _, createdBy: __, updatedAt: ___, ...created } = segment;
const byName = { name: segment.name };
const twice = [{ ...segment.conditions[0]!, atLeast: 2 }];

export const segmentsExamples: Examples = {
  postObservabilitySegments: {
    slow: {
      summary: 'Conversations with a ticket that took more than 20 minutes',
      body: created,
      status: 201,
      answer: { success: true, segment },
    },
  },
  getObservabilitySegments: {
    all: {
      summary: 'All of them',
      answer: { segments: [segment], total: 1, limit: 100, offset: 0 },
    },
  },
  getObservabilitySegmentsName: {
    one: { summary: 'A segment with its conditions', params: byName, answer: { success: true, segment } },
  },
  patchObservabilitySegmentsName: {
    twice: {
      summary: 'Customers with two such tickets',
      params: byName,
      body: { conditions: twice },
      answer: { success: true, segment: { ...segment, conditions: twice } },
    },
  },
  deleteObservabilitySegmentsName: {
    unused: { summary: 'A segment that nothing uses', params: byName },
  },
  getObservabilityCasesHandle: {
    behind: {
      summary: 'The tickets behind a number, the newest first',
      params: { handle: 'AWfxCGPDqQpqPcwPSvitLskvyEzGHYJKxRmZBQWgnIpst7mRiYGlGdjVMEebG5lARQxqAQ' },
      query: { limit: '1' },
      answer: {
        events: [
          {
            id: 'ticket-1043',
            eventName: 'ticket_resolved',
            properties: { plan: 'pro', topic: 'shipping', minutes: 7 },
            threadId: 't-1043',
            executionId: null,
            timestamp: '2026-03-02T09:26:00.000Z',
          },
        ],
        total: 2,
        threads: [
          { threadId: 't-1042', events: 1, executionIds: ['run-1042'] },
          { threadId: 't-1043', events: 1, executionIds: [] },
        ],
        totalThreads: 2,
        executions: [{ executionId: 'run-1042', events: 1 }],
        totalExecutions: 1,
      },
    },
  },
};
