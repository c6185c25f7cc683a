import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Wire } from './outcomes.ts';
import type { Exchange, Protocol } from './protocol.ts';
import { type Refusal, refusal, refusedKey } from './refusals.ts';
import { stepsOf } from './steps.ts';

/** A request whose answer is due. */
export interface Stage {
  response: ServerResponse;
  path: string;
  protocol: Protocol;
  exchange: Exchange;
  outcome: Outcome;
  /** Aborted when the client has left. */
  left: AbortSignal;
  /** Resolves when the test lets the answer go on. */
  released(): Promise<void>;
  /** Told of bytes that the network has taken. */
  sent(bytes: number): void;
}

/** How the connection is to be left: its response ended, closed without that, or reset. */
export type Ending = 'end' | 'cut' | 'reset';

/** Where answers of vendors lead that have moved; what is asked there is answered well. */
export const ELSEWHERE = '/elsewhere';

/** Milliseconds between the halves of a character. */
const SPLIT_MS = 10;

/** Gives a request its outcome, but for the last: how the connection is left. Rejects when the client leaves. */
export async function play(stage: Stage): Promise<Ending> {
  const { response, exchange, path, left } = stage;
  const { fault } = stage.outcome;
  switch (fault?.type) {
    case 'hangBeforeHeaders':
      return forever(left);
    case 'resetBeforeHeaders':
      return 'reset';
    case 'status':
      return refuse(response, refusal(fault.status, exchange, fault));
    case 'refusedKey':
      return refuse(response, refusedKey(exchange));
    case 'redirect':
      return refuse(response, { status: 302, headers: { location: `${ELSEWHERE}${path}` }, body: '' });
    case 'html':
      return refuse(response, { status: 200, headers: { 'content-type': 'text/html' }, body: LOGIN_PAGE });
    default:
      return stream(stage);
  }
}

const LOGIN_PAGE = '<!doctype html><html><head><title>Log in</title></head><body>Please log in.</body></html>';

/** An answer that is no stream. */
export function refuse(response: ServerResponse, { status, headers, body }: Refusal): Ending {
  response.writeHead(status, headers);
  response.write(body);
  return 'end';
}

async function stream(stage: Stage): Promise<Ending> {
  const { response, protocol, exchange, outcome, left } = stage;
  const wire = outcome.wire ?? 'frames';
  response.writeHead(200, { 'content-type': protocol.contentType, 'cache-control': 'no-cache' });
  if (wire !== 'oneWrite') response.flushHeaders();
  let gathered = Buffer.alloc(0);
  for (const step of stepsOf(outcome, protocol, exchange)) {
    if (step.type === 'send') {
      const bytes = protocol.encode(step.message, wire);
      if (step.badChecksum) bytes[bytes.length - 1]! ^= 0xff;
      if (wire === 'oneWrite') gathered = Buffer.concat([gathered, bytes]);
      else await write(bytes, stage, wire);
      continue;
    }
    // Whatever else there is to do comes after what was said.
    if (gathered.length > 0) await write(gathered, stage, wire);
    gathered = Buffer.alloc(0);
    if (step.type === 'pause') await sleep(step.ms, undefined, { signal: left });
    else if (step.type === 'hold') await unlessLeft(stage.released(), left);
    else if (step.type === 'hang') await forever(left);
    else return step.type;
  }
  return 'end';
}

/** Resolves when the network has taken the bytes, which it does not while nobody reads. */
async function write(bytes: Buffer, { response, sent, left }: Stage, wire: Wire): Promise<void> {
  for (const [index, part] of writesOf(bytes, wire).entries()) {
    if (wire === 'utf8Split' && index > 0) {
      await sleep(SPLIT_MS, undefined, { signal: left });
      // However late it is by now: a reader in this process has its turn.
      await nextTurn();
    }
    left.throwIfAborted();
    await new Promise<void>((resolve, reject) => response.write(part, (error) => (error ? reject(error) : resolve())));
    sent(part.length);
    // What is written within one turn would travel together.
    await nextTurn();
  }
}

function writesOf(bytes: Buffer, wire: Wire): Buffer[] {
  if (wire === 'slowDrip') return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  // With this byte a character of four begins.
  const at = wire === 'utf8Split' ? bytes.indexOf(0xf0) : -1;
  return at === -1 ? [bytes] : [bytes.subarray(0, at + 2), bytes.subarray(at + 2)];
}

function forever(left: AbortSignal): Promise<never> {
  return unlessLeft(new Promise<never>(() => undefined), left);
}

function unlessLeft<Result>(promise: Promise<Result>, left: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (left.aborted) reject(left.reason);
    left.addEventListener('abort', () => reject(left.reason), { once: true });
    promise.then(resolve, reject);
  });
}
