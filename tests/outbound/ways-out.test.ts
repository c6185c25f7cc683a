import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ClientMetadataFetcher } from '../../src/identity/client-metadata-fetcher.ts';
import { IdentityRequests } from '../../src/identity/fetch.ts';
import { fetchContent } from '../../src/outbound/content.ts';
import { guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { makeTransport } from '../../src/outbound/transport.ts';
import { makeSender } from '../../src/senders/index.ts';
import { startCanary } from './support.ts';

/* Every place that dials is listed here: whoever adds one must say whose address it is, and take the guard. */

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

/** What may open a connection: calls of `fetch` that nobody passed in, clients of HTTP, sockets, and SDKs with sockets of their own. */
const DIALS = [
  /(?<![.\w])fetch\(/,
  /\bglobalThis\.fetch\b/,
  /^import (?!type )(?!\{ errors \})[^;]*from 'undici'|import\('undici'\)/m,
  /^import (?!type )[^;]*\b(http|https|net|tls|http2|dgram|request|get|connect|Agent|Socket|createConnection)\b[^;]* from 'node:(https?|net|tls|http2|dgram)'/m,
  /\bnew (WebSocket|EventSource|OpenAI|Anthropic|GoogleGenAI|S3Client|BedrockRuntimeClient|Pool|Client)\(/,
  /from 'nodemailer(\/lib\/smtp-connection)?'|import\('(@clickhouse\/client|pg)'\)|from 'pg'/,
];

/** Whose the address is. `guard`: somebody else's, so the file goes through it, or is it. */
const PLACES: Record<string, 'guard' | 'operator' | 'command line' | 'own socket' | 'passed in'> = {
  'outbound/dispatchers.ts': 'guard',
  'outbound/fetch.ts': 'guard',
  // Images of chats: its `fetch` is guardedFetch.
  'outbound/content.ts': 'guard',
  // Issuers, key sets, metadata documents of clients.
  'identity/fetch.ts': 'guard',
  'identity/relying-party.ts': 'passed in',
  'http/oauth/configuration.ts': 'passed in',
  'tools/bridge.ts': 'passed in',
  'providers/anthropic/provider.ts': 'guard',
  'providers/bedrock/client.ts': 'guard',
  'providers/gemini/provider.ts': 'guard',
  'providers/chat-completions/provider.ts': 'guard',
  'storage/uploads/s3/bucket.ts': 'operator',
  'storage/events/clickhouse/client.ts': 'operator',
  'storage/state/postgres/pool.ts': 'operator',
  'senders/email.ts': 'operator',
  'doctor/oauth.ts': 'operator',
  'commands/actions/mcp.ts': 'command line',
  'commands/demo/chat.ts': 'command line',
  'commands/demo/presentation.ts': 'command line',
  'commands/knowledge/client.ts': 'command line',
  'commands/service/running.ts': 'command line',
  'importing/send.ts': 'command line',
  'ownership/socket.ts': 'own socket',
};

test('Ways out: every place that dials is listed, with whose address it is', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
    return DIALS.some((pattern) => pattern.test(text));
  });
  assert.deepEqual(found.sort(), Object.keys(PLACES).sort());
  for (const [file, whose] of Object.entries(PLACES)) {
    if (whose !== 'guard' || file.startsWith('outbound/')) continue;
    const text = readFileSync(join(SRC, file), 'utf8');
    assert.match(text, /outbound\/(dispatchers|fetch|request)\.ts|sdk-requests\.ts/, `${file}: it must take the guard`);
  }
});

/** What tenants, providers of identity and strangers may name, and the test that tries addresses and rebinding there. */
const PROVED: Record<string, string> = {
  'chat providers': 'tests/providers/faults-of-upstreams.test.ts',
  embedders: 'tests/providers/embeddings/faults.test.ts',
  'images of chats': 'tests/outbound/content.test.ts',
  'connectors, tokenUrl and servers of OpenAPI': 'tests/outbound/transport-guard.test.ts',
  'webhooks and Slack': 'tests/senders/webhook.test.ts',
  'issuers, JWKS, CIMD': 'tests/identity/fetch.test.ts',
  'the SDK of AWS': 'tests/outbound/dispatchers.test.ts',
};

test('Ways out: none reaches this machine unless the operator allows it', async (t) => {
  for (const [place, file] of Object.entries(PROVED)) {
    assert.match(readFileSync(join(ROOT, file), 'utf8'), /Blocked|public address|canary/, place);
  }
  const canary = await startCanary(t);
  const url = `http://localhost:${canary.port}/a`;
  const signal = AbortSignal.timeout(5_000);
  const policy = { tenantId: 't', allowPrivateNetworks: [] };
  const provider = { uid: 'a', revision: 0, tenantId: 't' } as never;
  const request = { url: new URL(url), method: 'GET', headers: [], body: null, maxBytes: 1_000, signal } as never;
  const sender = makeSender({ mail: null, networks: [] });
  const context = { signal, tenantId: 't', id: 'a', createdAt: 0, timestamp: 0 };
  const message = { type: 'alert.ok', title: 'a', text: 'a', data: {} } as never;
  const dials: Record<string, () => Promise<unknown>> = {
    'SDKs with a fetch': () => streamingFetch({ allowPrivateNetwork: false })(url, { signal }),
    'small answers': () => guardedFetch({ allowPrivateNetwork: false })(url, { signal }),
    images: () => fetchContent(url, { allowPrivateNetwork: false, signal, maxBytes: 1_000, timeoutMs: 5_000 } as never),
    'connectors, tokenUrl': () => makeTransport().send(policy, request),
    'issuers, tokens': () => new IdentityRequests([]).fetchFor(provider)(url, { signal }),
    JWKS: () => new IdentityRequests([]).documentsFor(provider, 1_000)(url, { signal }),
    CIMD: () => new ClientMetadataFetcher([], Date.now).fetch(url, { signal }),
    webhooks: () =>
      sender.send(
        { type: 'webhook', url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } as never,
        message,
        context,
      ),
    Slack: () => sender.send({ type: 'slack', url } as never, message, context),
  };
  for (const [name, dial] of Object.entries(dials)) {
    const said = await dial().then(
      (outcome) => JSON.stringify(outcome),
      (error: unknown) => inspect(error),
    );
    assert.match(said, /public address|BlockedAddress/, name);
    assert.equal(canary.connections(), 0, name);
  }
  assert.equal((await streamingFetch({ allowPrivateNetwork: true })(url)).status, 200, 'the canary can be reached');
  assert.equal(canary.connections(), 1);
});
