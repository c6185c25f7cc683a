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
