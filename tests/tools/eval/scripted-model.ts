import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What a good agent calls for a question, and what it says in the end. */
export interface Recording {
  task: string;
  /** `{{0/value}}` in texts stands for a member of the answer to the first call, and so on; `%` makes percent. */
  calls: { name: string; arguments: unknown }[];
  answer: string;
}

interface Asked {
  model: string;
  messages: { role: string; content: string }[];
}

/**
 * A server of Chat Completions that plays back the recording of a question: one call for each answer
 * of a tool that it has, then the text. Resolves with its base URL.
 */
export async function scriptedModel(t: TestContext, recordingOf: (question: string) => Recording): Promise<string> {
  const server = createServer((request, response) => {
    reply(request, response, recordingOf).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function reply(request: IncomingMessage, response: ServerResponse, recordingOf: (question: string) => Recording) {
  const { model, messages } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked;
  const { calls, answer } = recordingOf(messages.find(({ role }) => role === 'user')!.content);
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const next = calls[results.length];
  const text = (value: string) => filled(value, results);
  const called = next && { name: next.name, arguments: text(JSON.stringify(next.arguments)) };
  const delta = called
    ? { tool_calls: [{ index: 0, id: `call-${results.length}`, type: 'function', function: called }] }
    : { content: text(answer) };
  const chunk = (members: object) =>
    `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', created: 0, model, ...members })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ choices: [{ index: 0, delta, finish_reason: called ? 'tool_calls' : 'stop' }] }));
  response.write(chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }));
  response.end('data: [DONE]\n\n');
}

function filled(text: string, results: string[]): string {
  return text.replace(/\{\{(\d+)\/(.+?)(%?)\}\}/g, (_, call: string, path: string, percent: string) => {
    const found = path.split('/').reduce(memberOf, JSON.parse(results[Number(call)]!) as unknown);
    if (percent) return String(Number(found) * 100);
    return typeof found === 'string' ? found : JSON.stringify(found ?? null);
  });
}

/** Of a list, an index, `title=Orders` for the first with that member, or `max:value` and `min:value`. */
function memberOf(value: unknown, name: string): unknown {
  const [, member = '', operator, wanted = ''] = /^(.+?)([=:])(.*)$/.exec(name) ?? [];
  if (operator === undefined || !Array.isArray(value)) return (value as Record<string, unknown> | undefined)?.[name];
  if (operator === '=') return value.find((item) => item[member] === wanted);
  const score = (item: unknown) => Number(wanted.split('.').reduce(memberOf, item)) * (member === 'max' ? 1 : -1);
  return value.toSorted((one, other) => score(other) - score(one))[0];
}
