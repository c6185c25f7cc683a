import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { TestContext } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { Outcome } from './upstream/outcomes.ts';
import { type FakeUpstream, fakeUpstream } from './upstream/server.ts';

/*
 * A client of the fake upstream that knows no vendor: it sees what is on the wire.
 */

/** Where a vendor is asked. */
interface Endpoint {
  path: string;
  /** Of an answer to which nothing happened. */
  terminal: string;
}

export const ENDPOINTS: Record<string, Endpoint> = {
  responses: { path: '/v1/responses', terminal: 'response.completed' },
  chat: { path: '/v1/chat/completions', terminal: '[DONE]' },
  groq: { path: '/openai/v1/chat/completions', terminal: '[DONE]' },
  xai: { path: '/xai/v1/chat/completions', terminal: '[DONE]' },
  custom: { path: '/custom/v1/chat/completions', terminal: '[DONE]' },
  anthropic: { path: '/v1/messages', terminal: 'message_stop' },
  gemini: { path: '/v1beta/models/gemini:streamGenerateContent?alt=sse', terminal: '"STOP"' },
  bedrock: { path: '/model/nova/converse-stream', terminal: 'messageStop' },
};
export const ALL = Object.keys(ENDPOINTS);
/** Who sends server-sent events. */
export const SSE = ALL.filter((name) => name !== 'bedrock');

export interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  /** Bytes as they came, read by read. */
  reads: Buffer[];
  body: string;
  /** False where the connection broke before the response had ended. */
  complete: boolean;
}

/** Asks, on a connection of its own; resolves with the headers. */
export function begin(upstream: FakeUpstream, name: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(`${upstream.url}${ENDPOINTS[name]!.path}`, { method: 'POST', agent: false }, resolve);
    asking.on('error', reject);
    asking.end(JSON.stringify({ model: 'm', stream: true }));
  });
}

/** Reads until the end, or until it breaks. */
export async function whole(response: IncomingMessage): Promise<Seen> {
  const reads: Buffer[] = [];
  try {
    for await (const read of response) reads.push(read);
  } catch {
    // What was read until then is told, and that it is not complete.
  }
  const { statusCode = 0, headers, complete } = response;
  return { status: statusCode, headers, reads, body: Buffer.concat(reads).toString(), complete };
}

export async function see(upstream: FakeUpstream, name: string, outcome: Outcome): Promise<Seen> {
  upstream.script(outcome);
  return whole(await begin(upstream, name));
}

/** For every protocol, the outcome and what is seen of it. */
export async function forEach(
  t: TestContext,
  names: string[],
  outcome: Outcome,
  look: (seen: Seen, name: string) => void,
): Promise<void> {
  const upstream = await fakeUpstream(t);
  for (const name of names) look(await see(upstream, name, outcome), name);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const codec = () =>
  new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );

/** The bodies of frames; each says in its first four bytes how long it is. */
export function decoded(bytes: Buffer): string[] {
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const frame = bytes.subarray(at, at + bytes.readUInt32BE(at));
    bodies.push(Buffer.from(codec().decode(frame).body).toString());
  }
  return bodies;
}

/** Events, or for Bedrock all in one: its names can be read in the bytes. */
export function framesOf(body: string, name: string): string[] {
  return name === 'bedrock' ? [body] : body.split(/\r?\n\r?\n/).filter((frame) => frame.trim());
}
