import type { Examples } from './example.ts';

const execution = {
  id: 'run-1042',
  agentId: 'support',
  threadId: 't-1042',
  status: 'running',
  messages: [
    { role: 'system', content: 'You help the customers of a shop for card readers.' },
    { role: 'user', content: 'Quando chega o meu pedido?' },
  ],
  output: null,
  provider: 'openai',
  model: 'gpt-5.1',
  usage: null,
  startedAt: '2026-03-02T09:18:02.000Z',
  completedAt: null,
  chat: null,
  createdAt: '2026-03-02T09:47:38.000Z',
  updatedAt: '2026-03-02T09:47:38.000Z',
};

export const executionsExamples: Examples = {
  postObservabilityExecutions: {
    begun: {
      summary: 'An execution that begins',
      body: {
        id: 'run-1042',
        threadId: 't-1042',
        messages: [
          { role: 'system', content: 'You help the customers of a shop for card readers.' },
          { role: 'user', content: 'Quando chega o meu pedido?' },
        ],
        status: 'running',
        provider: 'openai',
        model: 'gpt-5.1',
        startedAt: '2026-03-02T09:18:02Z',
      },
      status: 201,
      answer: execution,
    },
    completed: {
      summary: 'The same execution, completed',
      body: {
        id: 'run-1042',
        output: 'Amanhã.',
        usage: { inputTokens: 412, outputTokens: 5 },
        completedAt: '2026-03-02T09:18:04Z',
      },
      status: 200,
      answer: {
        ...execution,
        status: 'completed',
        output: 'Amanhã.',
        usage: { inputTokens: 412, outputTokens: 5 },
        completedAt: '2026-03-02T09:18:04.000Z',
        updatedAt: '2026-03-02T09:47:45.000Z',
      },
    },
  },
  getObservabilityExecutionsExecutionId: {
    completed: {
      summary: 'An execution with its conversation',
      params: { executionId: 'run-1042' },
      status: 200,
      answer: {
        ...execution,
        status: 'completed',
        output: 'Amanhã.',
        usage: { inputTokens: 412, outputTokens: 5 },
        completedAt: '2026-03-02T09:18:04.000Z',
        updatedAt: '2026-03-02T09:47:45.000Z',
      },
    },
  },
};
