import assert from 'node:assert/strict';
import type { TestApp } from '../support/app.ts';

export const OBSERVABILITY = '/api/v1/runtime/v1/observability';
export const EXECUTIONS = `${OBSERVABILITY}/executions`;

/** Sends a request that must succeed. */
export async function sent(app: TestApp, method: string, path: string, body?: object) {
  const answer = await app.request(method, OBSERVABILITY + path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

export const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> \u202Egnp.exe مرحبا بالعالم';

const at = (second: number) => new Date(Date.parse('2026-03-12T10:00:00Z') + second * 1_000).toISOString();

/** An execution with a hostile transcript: HTML, broken JSON, a megabyte of text, 500 steps of which one failed. */
export async function recordHostile(app: TestApp): Promise<void> {
  const call = (id: string, text: string) => ({
    id,
    type: 'function',
    function: { name: 'find_order', arguments: text },
  });
  const step = (number: number) => ({
    id: `step-${number}`,
    ...(number % 10 !== 0 && { parentId: `step-${number - (number % 10)}` }),
    kind: number % 10 === 0 ? 'agent' : 'tool',
    name: `${HOSTILE} ${number}`,
    startedAt: at(number),
    endedAt: at(number + 2),
    input: { text: HOSTILE },
    ...(number === 321 && { error: { kind: 'timeout', message: HOSTILE } }),
  });
  await sent(app, 'POST', '/executions', {
    id: 'run-hostile',
    name: HOSTILE,
    agentId: 'support',
    threadId: 't/1 %2F?#',
    userId: HOSTILE,
    tags: [HOSTILE],
    metadata: { note: HOSTILE },
    model: 'gpt-5',
    provider: 'openai',
    usage: { inputTokens: 1_000, outputTokens: 204 },
    startedAt: at(0),
    completedAt: at(502),
    status: 'failed',
    messages: [
      { role: 'system', content: HOSTILE },
      { role: 'user', content: HOSTILE },
      { role: 'assistant', content: null, tool_calls: [call('call-1', `{"order": ${HOSTILE}`)] },
      { role: 'tool', tool_call_id: 'call-1', content: HOSTILE },
      { role: 'assistant', content: 'x'.repeat(1_000_000) },
      { role: 'user', content: `${HOSTILE}\n\n[a](javascript:alert(3))\n\n<iframe src="data:text/html,x"></iframe>` },
    ],
    output: `**Bold** ${HOSTILE}`,
    steps: Array.from({ length: 500 }, (_, number) => step(number)),
  });
}

/** Executions `run-000` and so on: every third has a name, every fourth a cost, every seventh failed. */
export async function recordMany(app: TestApp, count: number): Promise<void> {
  const recorded = Array.from({ length: count }, (_, number) => sent(app, 'POST', '/executions', executionOf(number)));
  await Promise.all(recorded);
}

function executionOf(number: number) {
  const [isEven, isFailed] = [number % 2 === 0, number % 7 === 6];
  return {
    id: `run-${String(number).padStart(3, '0')}`,
    ...(number % 3 === 0 && { name: `Refund ${number}` }),
    threadId: `thread-${number % 4}`,
    userId: `user-${number % 5}`,
    ...(isEven ? { provider: 'openai', model: 'gpt-5' } : { provider: 'anthropic', model: 'claude-sonnet-4-5' }),
    ...(number % 4 === 0 && { cost: number / 1_000 }),
    usage: { inputTokens: 100 + number, outputTokens: 10 },
    startedAt: at(number * 10),
    completedAt: at(number * 10 + number),
    status: isFailed ? 'failed' : 'completed',
    messages: [{ role: 'user', content: `Question ${number}` }],
    ...(!isFailed && { output: `Answer ${number}` }),
  };
}
