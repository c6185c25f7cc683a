import type { Examples } from './example.ts';

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
      status: 200,
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
      status: 200,
      answer:
        'event: text\ndata: {"text":"Olá "}\n\nevent: text\ndata: {"text":"mundo 🌍"}\n\nevent: usage\ndata: {"inputTokens":12,"outputTokens":5}\n\nevent: done\ndata: {"finishReason":"stop","executionId":"019cae1c-a000-7daa-866d-daa66d13daa6","provider":"custom","providerName":"local","model":"llama3.2"}\n\n',
      answerType: 'text/event-stream',
    },
  },
};
