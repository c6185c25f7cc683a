import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const WORD_MS = 30;
const CHARACTERS_OF_TOKEN = 4;

interface Asked {
  model: string;
  messages: { role: string; content: unknown }[];
}

/** A Chat Completions server. Resolves with its base URL and keeps no process alive. */
export async function startEcho(): Promise<string> {
  const server = createServer((request, response) => {
    echo(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model, messages } = JSON.parse(await textOf(request)) as Asked;
  const said = messages.findLast(({ role }) => role === 'user')?.content;
  const answer = `You said: ${typeof said === 'string' ? said : JSON.stringify(said ?? '')}`;
  const chunk = (members: object) =>
    `data: ${JSON.stringify({ id: 'echo', object: 'chat.completion.chunk', created: 0, model, ...members })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const word of answer.split(/(?<=\s)/)) {
    if (response.destroyed) return;
    response.write(chunk({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] }));
    await pause(WORD_MS);
  }
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.write(chunk({ choices: [], usage: usageOf(messages, answer) }));
  response.end('data: [DONE]\n\n');
}

function usageOf(messages: Asked['messages'], answer: string) {
  const tokens = (text: string) => Math.ceil(text.length / CHARACTERS_OF_TOKEN);
  const [prompt, completion] = [tokens(JSON.stringify(messages)), tokens(answer)];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) text += part as string;
  return text;
}
