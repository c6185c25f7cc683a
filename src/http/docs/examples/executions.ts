import type { Examples } from './example.ts';

const execution = {
  id: 'run-1042',
  agentId: 'support',
  threadId: 't-1042',
  ...{ userId: 'c-7', name: 'answer', tags: ['delivery'], metadata: { shop: 'br' }, parentId: null, source: 'api' },
  ...{ status: 'running', errorKind: null },
  messages: [
    { role: 'system', content: 'You help the customers of a shop for card readers.' },
    { role: 'user', content: 'Quando chega o meu pedido?' },
  ],
  output: null,
  provider: 'openai',
  model: 'gpt-5.1',
  ...{ usage: null, inputTokens: null, outputTokens: null, totalTokens: null, cost: null, costBasis: null },
  ...{ latencyMs: null, startedAt: '2026-03-02T09:18:02.000Z', completedAt: null },
  ...{ steps: [], stepsTotal: 0, chat: null },
  createdAt: '2026-03-02T09:47:38.000Z',
  updatedAt: '2026-03-02T09:47:38.000Z',
};

const completed = {
  ...execution,
  status: 'completed',
  output: 'Amanhã.',
  usage: { inputTokens: 412, outputTokens: 5 },
  ...{ inputTokens: 412, outputTokens: 5, totalTokens: 417, cost: 0.000565, costBasis: 'priced', latencyMs: 2_000 },
  completedAt: '2026-03-02T09:18:04.000Z',
  updatedAt: '2026-03-02T09:47:45.000Z',
};

const step = {
  ...{ id: 'track', parentId: null, kind: 'tool', name: 'track_order', status: 'ok', error: null },
  ...{ startedAt: '2026-03-02T09:18:03.000Z', endedAt: '2026-03-02T09:18:03.400Z' },
  ...{ input: { order: 4711 }, output: { arrives: 'tomorrow' }, provider: null, model: null, usage: null },
  ...{ inputTokens: null, outputTokens: null, totalTokens: null, cost: null, costBasis: null },
  ...{ attributes: {}, isFromMessages: false },
};

const { messages: _, output: __, steps: ___, stepsTotal: ____, metadata: _____, chat: ______, ...facts } = completed;
const row = { ...facts, updatedAt: '2026-03-02T09:47:46.000Z', review: null, assessments: 0 };

export const executionsExamples: Examples = {
  postObservabilityExecutions: {
    begun: {
      summary: 'An execution that begins',
      body: {
        id: 'run-1042',
        threadId: 't-1042',
        userId: 'c-7',
        name: 'answer',
        tags: ['delivery'],
        metadata: { shop: 'br' },
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
      answer: completed,
    },
  },
  postObservabilityExecutionsExecutionIdSteps: {
    one: {
      summary: 'A tool call',
      params: { executionId: 'run-1042' },
      body: {
        steps: [
          {
            ...{ id: 'track', kind: 'tool', name: 'track_order' },
            ...{ startedAt: '2026-03-02T09:18:03Z', endedAt: '2026-03-02T09:18:03.400Z' },
            ...{ input: { order: 4711 }, output: { arrives: 'tomorrow' } },
          },
        ],
      },
      answer: { ...completed, updatedAt: '2026-03-02T09:47:46.000Z', steps: [step], stepsTotal: 1 },
    },
  },
  getObservabilityExecutionsExecutionIdSteps: {
    page: {
      summary: 'The steps of an execution',
      params: { executionId: 'run-1042' },
      answer: { steps: [step], nextCursor: null, total: 1 },
    },
  },
  getObservabilityExecutions: {
    page: {
      summary: 'Executions of a user',
      query: { userId: 'c-7' },
      answer: { executions: [row], nextCursor: null, total: 1 },
    },
  },
  getObservabilityThreads: {
    page: {
      summary: 'Conversations of a user',
      query: { userId: 'c-7' },
      answer: {
        threads: [
          {
            ...{ threadId: 't-1042', userId: 'c-7', executions: 1, events: 1, cost: 0.000565 },
            ...{ firstAt: '2026-03-02T09:18:02.000Z', lastAt: '2026-03-02T09:18:02.000Z' },
          },
        ],
        nextCursor: null,
        total: 1,
      },
    },
  },
  getObservabilityThreadsThreadId: {
    page: {
      summary: 'What happened in a conversation',
      params: { threadId: 't-1042' },
      answer: {
        threadId: 't-1042',
        items: [
          { type: 'execution', at: '2026-03-02T09:18:02.000Z', execution: row },
          {
            type: 'event',
            at: '2026-03-02T09:20:00.000Z',
            event: {
              ...{ id: 'ticket-1042', eventName: 'ticket_resolved', threadId: 't-1042', executionId: 'run-1042' },
              properties: { plan: 'free', topic: 'shipping', minutes: 31 },
              timestamp: '2026-03-02T09:20:00.000Z',
            },
          },
        ],
        nextCursor: null,
        total: 2,
      },
    },
  },
  getObservabilityExecutionsExecutionId: {
    completed: {
      summary: 'An execution with its conversation',
      params: { executionId: 'run-1042' },
      answer: { ...completed, updatedAt: '2026-03-02T09:47:46.000Z', steps: [step], stepsTotal: 1 },
    },
  },
};

export const chatExamples: Examples = {
  postChatStream: {
    text: {
      summary: 'An answer as plain text',
      body: {
        projectId: 'support-desk',
        provider: 'custom',
        providerName: 'local',
        model: 'llama3.2',
        messages: [{ role: 'user', content: 'Say hello to the world, in Portuguese.' }],
      },
      answer: 'Olá mundo 🌍',
      answerType: 'text/plain',
    },
    events: {
      summary: 'An answer as events',
      headers: { accept: 'text/event-stream' },
      body: {
        projectId: 'support-desk',
        provider: 'custom',
        providerName: 'local',
        model: 'llama3.2',
        instructions: 'You answer customers in one sentence.',
        temperature: 0.2,
        messages: [{ role: 'user', content: 'Say hello to the world, in Portuguese.' }],
      },
      answer:
        'event: text\ndata: {"text":"Olá "}\n\nevent: text\ndata: {"text":"mundo 🌍"}\n\nevent: usage\ndata: {"inputTokens":12,"outputTokens":5}\n\nevent: done\ndata: {"finishReason":"stop","executionId":"019cae1c-a000-7daa-866d-daa66d13daa6","provider":"custom","providerName":"local","model":"llama3.2"}\n\n',
      answerType: 'text/event-stream',
    },
  },
};
