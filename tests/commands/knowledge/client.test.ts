import assert from 'node:assert/strict';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as undici from 'undici';
import { KnowledgeClient } from '../../../src/commands/knowledge/client.ts';
import type { Destination } from '../../../src/importing/send.ts';
import { temporaryDirectory, testApp } from '../../support/app.ts';
import { ingested, VECTORS } from '../../support/knowledge.ts';
import { rareTest } from '../../support/rare.ts';

const MEGABYTE = 1024 * 1024;
const { signal } = new AbortController();

/** Each `fetch` that a command may be given: Node.js' own, and that of the package, which goes to a socket. */
const FETCHES: [string, Destination['fetch']][] = [
  ['the one of Node.js', fetch],
  ['the one of undici', undici.fetch as unknown as Destination['fetch']],
];

for (const [which, fetch] of FETCHES) {
  rareTest(`KnowledgeClient.send: streams the file without buffering it: ${which}`, async (t) => {
    const path = join(temporaryDirectory(t), 'large.txt');
    writeFileSync(path, '');
    truncateSync(path, 256 * MEGABYTE);
    const { url, received } = await sink(t);
    const client = new KnowledgeClient({ url, apiKey: 'x', fetch }, signal);
    let peak = 0;
    let last = 0;
    const { jobId } = await client.send({ path, name: 'large.txt', fields: { vectorStore: 'help' } }, (read) => {
      assert.ok(read > last);
      last = read;
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    });
    assert.equal(jobId, 'job');
    assert.equal(received(), last);
    assert.ok(last > 256 * MEGABYTE);
    t.diagnostic(`${Math.round(peak / MEGABYTE)} MB of 256 at most`);
    assert.ok(peak < 128 * MEGABYTE, `${Math.round(peak / MEGABYTE)} MB`);
  });

  test(`KnowledgeClient.send: names and fields arrive unchanged: ${which}`, async (t) => {
    const app = await testApp(t);
    const client = new KnowledgeClient({ url: app.url, apiKey: app.key, fetch }, signal);
    const path = join(temporaryDirectory(t), 'text');
    writeFileSync(path, 'Um café, por favor.');
    const name = 'cardápio "de" 菜单;x=1.txt';
    const metadata = JSON.stringify({ note: '--boundary\r\n"ção"' });
    const { jobId } = await client.send({ path, name, fields: { vectorStore: 'help', metadata } }, () => undefined);
    const job = await client.watch(jobId, () => undefined);
    assert.deepEqual([job.status, job.originalName.replaceAll('%22', '"')], ['completed', name]);
    const { results } = await client.search('help', { query: 'cafe' });
    assert.deepEqual(results[0]?.metadata, { note: '--boundary\r\n"ção"' });
  });
}

test('KnowledgeClient.send: sends the file again when the server asks for it', async (t) => {
  const path = join(temporaryDirectory(t), 'a.md');
  writeFileSync(path, 'text');
  const answers = [
    new Response('{"message": "full"}', { status: 503, headers: { 'retry-after': '0' } }),
    new Response('{"message": "too many"}', { status: 429, headers: { 'retry-after': '0' } }),
    new Response('{"jobId": "job", "notes": ["a note"]}', { status: 202 }),
    new Response('{"message": "over the quota"}', { status: 429 }),
    new Response('{"message": "the disk is full"}', { status: 503 }),
  ];
  const client = new KnowledgeClient({ url: 'http://x', apiKey: 'x', fetch: async () => answers.shift()! }, signal);
  const send = () => client.send({ path, name: 'a.md', fields: {} }, () => undefined);
  assert.deepEqual(await send(), { jobId: 'job', notes: ['a note'] });
  await assert.rejects(send(), { name: 'RuntimeError', isOfFile: true, message: 'over the quota' });
  await assert.rejects(send(), { name: 'Error', message: 'the disk is full' });
});

test('KnowledgeClient.watch: waits for a server that is briefly unreachable', async (t) => {
  const app = await testApp(t);
  const { jobId } = await ingested(
    app,
    { name: 'help.md', content: 'A refund takes five days.' },
    { vectorStore: 'help' },
  );
  let asked = 0;
  const flaky: Destination['fetch'] = async (url, init) => {
    asked += 1;
    if (asked === 1) throw new TypeError('fetch failed');
    if (asked === 2) return new Response('{"message": "later"}', { status: 503 });
    return fetch(url, init);
  };
  const client = new KnowledgeClient({ url: app.url, apiKey: app.key, fetch: flaky }, signal);
  assert.equal((await client.watch(jobId, () => undefined)).status, 'completed');
  assert.equal(asked, 3);
  await assert.rejects(
    client.watch('01a2', () => undefined),
    /There is no ingestion job "01a2"/,
  );
  assert.equal(asked, 4, 'what is refused is refused for good');
  assert.ok(client.addressOf(jobId).startsWith(`${app.url}${VECTORS}/`));
});

/** Counts what it is sent, and keeps none of it. */
async function sink(t: TestContext): Promise<{ url: string; received(): number }> {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.writeHead(202).end('{"jobId": "job"}'));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => bytes };
}
