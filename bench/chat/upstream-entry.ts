import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * The upstream of the chat bench, in a process of its own: Chat Completions as fast as they are read. The model says what is
 * sent: `fast-200` is 200 chunks at once, `paced-50-20` is 50 chunks, one every 20 ms.
 */

const frame = (delta: object, finish: string | null, usage: object | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'bench',
    system_fingerprint: 'fp_bench',
    choices: usage ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage,
  })}\n\n`;

const CHUNKS = Array.from({ length: 100 }, (_, index) => Buffer.from(frame({ content: ` token${index}` }, null)));
const USAGE = { prompt_tokens: 60, completion_tokens: 200, total_tokens: 260 };
const END = Buffer.from(`${frame({}, 'stop')}${frame({}, null, USAGE)}data: [DONE]\n\n`);
/** Chunks in one write, as a fast provider's arrive. */
const TOGETHER = 10;

function sendFast(response: ServerResponse, count: number): void {
  let sent = 0;
  const next = () => {
    const some = CHUNKS.slice(0, Math.min(TOGETHER, count - sent));
    sent += some.length;
    response.write(Buffer.concat(some));
    if (sent < count) setImmediate(next);
    else response.end(END);
  };
  next();
}

function sendPaced(response: ServerResponse, count: number, pauseMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    response.write(CHUNKS[sent % CHUNKS.length]!);
    if (sent < count) return;
    clearInterval(timer);
    response.end(END);
  }, pauseMs);
  response.once('close', () => clearInterval(timer));
  response.write(CHUNKS[0]!);
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    const [kind, count, pauseMs] = (JSON.parse(body) as { model: string }).model.split('-');
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_bench' });
    if (kind === 'fast') sendFast(response, Number(count));
    else sendPaced(response, Number(count), Number(pauseMs));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
