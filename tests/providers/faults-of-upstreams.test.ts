import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultKind } from '../../src/core/agents/chat/provider.ts';
import { startServer } from '../outbound/support.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import type { Fault, Outcome } from '../support/upstream/outcomes.ts';
import { fakeUpstream } from '../support/upstream/server.ts';
import {
  API_KEY,
  askAt,
  BEDROCK,
  CHAT_OFFERS,
  GEMINI,
  GROQ,
  LEGACY,
  OFFERS,
  OPENAI,
  tell,
  watchRejections,
  XAI,
} from './support.ts';

const scope = scopeOfThisFile();
const upstream = await fakeUpstream(scope);
watchRejections(scope);

interface Row {
  what: string;
  fault: Fault;
  wire?: Outcome['wire'];
  kind: FaultKind;
  /** What was sent before the fault; nothing by default. */
  text?: string;
}

const ROWS: Row[] = [
  { what: 'cut after its headers', fault: { type: 'cut', after: 'headers' }, kind: 'broken' },
  { what: 'cut in the middle', fault: { type: 'cut', after: 1 }, kind: 'broken', text: 'Olá ' },
  { what: 'cut before its marker', fault: { type: 'cut', after: 2 }, kind: 'broken', text: 'Olá mundo 🌍' },
  { what: 'ended after its headers', fault: { type: 'earlyEnd', after: 'headers' }, kind: 'broken' },
  { what: 'ended in the middle', fault: { type: 'earlyEnd', after: 1 }, kind: 'broken', text: 'Olá ' },
  { what: 'ended before its marker', fault: { type: 'earlyEnd', after: 2 }, kind: 'broken', text: 'Olá mundo 🌍' },
  { what: 'an error as its first event', fault: { type: 'errorEvent', after: 'headers' }, kind: 'unavailable' },
  { what: 'an error in the middle', fault: { type: 'errorEvent', after: 1 }, kind: 'unavailable', text: 'Olá ' },
  {
    what: 'an error in the same read as text',
    fault: { type: 'errorEvent', after: 1 },
    ...{ wire: 'oneWrite', kind: 'unavailable', text: 'Olá ' },
  },
  {
    what: 'a word that it is overloaded',
    fault: { type: 'errorEvent', after: 1, kind: 'overloaded' },
    ...{ kind: 'unavailable', text: 'Olá ' },
  },
  {
    what: 'a word that there were too many requests',
    fault: { type: 'errorEvent', after: 'headers', kind: 'rateLimited' },
    kind: 'rate_limited',
  },
  { what: 'JSON that breaks off', fault: { type: 'badJson', after: 1 }, kind: 'broken', text: 'Olá ' },
  { what: 'JSON that breaks off at once', fault: { type: 'badJson', after: 'headers' }, kind: 'broken' },
  { what: 'a page for people', fault: { type: 'html' }, kind: 'broken' },
  { what: 'a redirect', fault: { type: 'redirect' }, kind: 'broken' },
  { what: 'a reset before its headers', fault: { type: 'resetBeforeHeaders' }, kind: 'unavailable' },
  { what: 'a refused key', fault: { type: 'refusedKey' }, kind: 'credential' },
  { what: '400', fault: { type: 'status', status: 400 }, kind: 'refused' },
  { what: '401', fault: { type: 'status', status: 401 }, kind: 'credential' },
  { what: '403', fault: { type: 'status', status: 403 }, kind: 'credential' },
  { what: '404', fault: { type: 'status', status: 404 }, kind: 'refused' },
  { what: '408', fault: { type: 'status', status: 408 }, kind: 'unavailable' },
  { what: '413', fault: { type: 'status', status: 413 }, kind: 'refused' },
  { what: '422', fault: { type: 'status', status: 422 }, kind: 'refused' },
  { what: '429', fault: { type: 'status', status: 429 }, kind: 'rate_limited' },
  { what: '500', fault: { type: 'status', status: 500 }, kind: 'unavailable' },
  { what: '503', fault: { type: 'status', status: 503 }, kind: 'unavailable' },
  { what: '529', fault: { type: 'status', status: 529 }, kind: 'unavailable' },
];

for (const offer of OFFERS) {
  for (const { what, fault, wire, kind, text = '' } of ROWS) {
    test(`${offer.name}: ${what} is ${kind}`, async () => {
      upstream.script({ fault, ...(wire ? { wire } : {}) });
      const before = upstream.requests.length;
      const told = await tell(offer, upstream);
      assert.deepEqual({ kind: told.fault?.kind, text: told.text }, { kind, text }, told.fault?.message);
      assert.equal(told.finish, null, 'what is broken has no end');
      assert.equal(upstream.requests.length, before + 1, 'it is asked once');
      if (fault.type === 'status') assert.equal(told.fault?.status, fault.status);
    });
  }

  test(`${offer.name}: retry-after is read in seconds and as a date`, async () => {
    upstream.script({ fault: { type: 'status', status: 429, retry: { seconds: 7 } } });
    assert.equal((await tell(offer, upstream)).fault?.retryAfterMs, 7_000);
    upstream.script({ fault: { type: 'status', status: 503, retry: { date: 3_600 } } });
    const wait = (await tell(offer, upstream)).fault!.retryAfterMs!;
    assert.ok(wait > 3_000_000 && wait <= 3_600_000, String(wait));
    upstream.script({ fault: { type: 'status', status: 429 } });
    assert.equal((await tell(offer, upstream)).fault?.retryAfterMs, null);
  });

  test(`${offer.name}: a fault has the vendor's message and nothing of the request`, async () => {
    upstream.script({ fault: { type: 'status', status: 400, message: 'The value of max_tokens\n is too large.' } });
    const { fault } = await tell(offer, upstream);
    assert.equal(fault!.message, 'The value of max_tokens is too large.');
    assert.equal(fault!.requestId, upstream.requests.at(-1)!.requestId);
    assert.deepEqual(Object.keys(fault!).sort(), ['kind', 'name', 'requestId', 'retryAfterMs', 'status']);
    assert.equal(fault!.cause, undefined);
    assert.ok(!JSON.stringify([fault, fault!.stack]).includes(API_KEY));
  });

  test(`${offer.name}: a long error page is shortened`, async () => {
    upstream.script({ fault: { type: 'status', status: 500, message: 'word '.repeat(10_000) } });
    assert.ok((await tell(offer, upstream)).fault!.message.length < 1_100);
  });

  test(`${offer.name}: a closed port is unavailable, with the reason`, async () => {
    const { kind, message } = await faultAt(offer, 'http://127.0.0.1:1/v1');
    assert.equal(kind, 'unavailable');
    assert.equal(message, 'The provider cannot be reached (ECONNREFUSED).');
  });

  test(`${offer.name}: a private address is blocked unless the operator allows it`, async () => {
    const before = upstream.requests.length;
    const { kind, message } = await faultAt(offer, upstream.baseUrl(offer.provider), { allowPrivateNetwork: false });
    assert.equal(kind, 'unavailable');
    assert.match(message, /^127\.0\.0\.1 is not at a public address.*allowPrivateNetwork/);
    assert.equal(upstream.requests.length, before);
  });

  test(`${offer.name}: a key invalid in a header is a fault that does not quote it`, async () => {
    const { kind, message } = await faultAt(offer, upstream.baseUrl(offer.provider), { apiKey: `${API_KEY}\n` });
    assert.equal(kind, 'unavailable');
    assert.ok(!message.includes(API_KEY), message);
  });
}

for (const offer of [OPENAI, ...CHAT_OFFERS]) {
  test(`${offer.name}: an error body without "error" is read`, async (t) => {
    const body = '{"object":"error","message":"There is no such model.","code":404}';
    const server = await startServer(t, (_request, response) => response.writeHead(404).end(body));
    const { kind, message } = await faultAt(offer, server.url);
    assert.deepEqual([kind, message], ['refused', 'There is no such model.']);
  });
}

for (const [offer, kind] of [
  [OPENAI, 'unavailable'],
  [GROQ, 'unavailable'],
  [GEMINI, 'unavailable'],
  [BEDROCK, 'unavailable'],
] as const) {
  test(`${offer.name}: the other form of an error within the stream is ${kind}`, async () => {
    upstream.script({ fault: { type: 'failure', after: 1 } });
    const told = await tell(offer, upstream);
    assert.deepEqual({ kind: told.fault?.kind, text: told.text }, { kind, text: 'Olá ' });
    assert.notEqual(told.fault?.message, '');
  });
}

test('gemini: the retry delay is read from the details of the error', async () => {
  upstream.script({ fault: { type: 'status', status: 429, retry: { retryInfo: 34 } } });
  assert.equal((await tell(GEMINI, upstream)).fault?.retryAfterMs, 34_000);
});

test('gemini: a blocked prompt is refused with the reason', async () => {
  upstream.script({ pieces: [], finish: 'content_filter' });
  const { fault } = await tell(GEMINI, upstream);
  assert.equal(fault?.kind, 'refused');
  assert.equal(fault?.message, 'The prompt is blocked (SAFETY).');
});

test('xai and openai: an error that is a text is read', async () => {
  for (const offer of [XAI, LEGACY]) {
    upstream.script({ fault: { type: 'errorEvent', after: 'headers' } });
    assert.equal((await tell(offer, upstream)).fault?.message, 'The server had an error.');
  }
});

async function faultAt(offer: (typeof OFFERS)[number], baseUrl: string, connection = {}) {
  const { ProviderFault } = await import('../../src/core/agents/chat/provider.ts');
  try {
    await askAt(offer, baseUrl, { connection });
  } catch (error) {
    if (error instanceof ProviderFault) return error;
    throw error;
  }
  throw new Error('it was to be a fault');
}
