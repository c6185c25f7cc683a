import assert from 'node:assert/strict';
import { openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AgentRuntimeError, createClient, dataOf } from '../../clients/typescript/src/index.ts';
import { temporaryDirectory } from '../support/app.ts';
import { ended } from '../support/knowledge.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });

async function sharedClient() {
  const { url, key } = await sharedApp();
  return createClient({ baseUrl: url, apiKey: key });
}

async function searched(name: string, query: string) {
  const client = await sharedClient();
  const search = client.POST('/api/v1/runtime/v1/vectors/stores/{name}/search', {
    params: { path: { name } },
    body: { query },
  });
  return (await dataOf(search)).results.map(({ source, text, metadata }) => ({ name: source.name, text, metadata }));
}

function progress() {
  const calls: [number, number][] = [];
  return { calls, onProgress: (sent: number, total: number) => void calls.push([sent, total]) };
}

test('client.upload: a file with metadata is ingested', async () => {
  const [app, client] = [await sharedApp(), await sharedClient()];
  const file = new File(['# Refunds\n\nUp to five working days.\n'], 'faq.md', { type: 'text/markdown' });
  const { jobId, status } = await client.upload({ file, vectorStore: 'help', metadata: { lang: 'ação' } });
  assert.equal(status, 'queued');
  await ended(app, jobId);
  const [found] = await searched('help', 'refunds');
  assert.deepEqual([found?.name, found?.metadata.lang], ['faq.md', 'ação']);
});

test('client.upload: a file on disk is streamed, with its progress', async (t) => {
  const [app, client] = [await sharedApp(), await sharedClient()];
  const path = join(temporaryDirectory(t), 'faq.txt');
  const text = 'Refunds take five working days.\n'.repeat(30_000);
  writeFileSync(path, text);
  const { calls, onProgress } = progress();
  const { jobId } = await client.upload(
    { file: await openAsBlob(path), fileName: 'ação 1.txt', vectorStore: 'disk' },
    { onProgress },
  );
  await ended(app, jobId);
  assert.equal((await searched('disk', 'refunds'))[0]?.name, 'ação 1.txt');
  assert.ok(calls.length > 5, `only ${calls.length} calls`);
  assert.deepEqual(
    [calls[0], calls.at(-1)],
    [
      [0, text.length],
      [text.length, text.length],
    ],
  );
  assert.deepEqual(
    calls,
    calls.toSorted(([one], [other]) => one - other),
  );
});

test('client.upload: a file in memory is counted in slices, too', async () => {
  const client = await sharedClient();
  const { calls, onProgress } = progress();
  const file = new File(['Refunds take five working days.\n'.repeat(30_000)], 'faq.txt');
  await client.upload({ file, vectorStore: 'memory' }, { onProgress });
  assert.ok(calls.length > 10, `only ${calls.length} calls`);
  assert.deepEqual(calls.at(-1), [file.size, file.size]);
});

test('client.upload: the same bytes arrive with and without progress', async () => {
  const [app, client] = [await sharedApp(), await sharedClient()];
  const file = new Blob(['question;answer\nRefunds?;Five days 🌍\nShipping?;Two days\n']);
  const upload = { file, fileName: 'faq.csv', csvDelimiter: ';', metadata: { lang: 'en' } };
  for (const [vectorStore, options] of [['plain', {}] as const, ['counted', progress()] as const]) {
    await ended(app, (await client.upload({ ...upload, vectorStore }, options)).jobId);
  }
  const plain = await searched('plain', 'refunds');
  assert.match(plain[0]!.text, /Five days 🌍/);
  assert.deepEqual(await searched('counted', 'refunds'), plain);
});

test('client.upload: a refused upload throws, also while it streams', async () => {
  const client = await sharedClient();
  const file = new File([new Uint8Array(3_000_000)], 'tool.exe');
  for (const options of [{}, progress()]) {
    await assert.rejects(client.upload({ file, vectorStore: 'help' }, options), (thrown) => {
      assert.ok(thrown instanceof AgentRuntimeError);
      assert.deepEqual([thrown.code, thrown.status], ['invalid', 415]);
      return true;
    });
  }
});

test('client.upload: a signal ends it with its reason', async () => {
  const client = await sharedClient();
  const reason = new Error('the user left');
  const leaving = new AbortController();
  const file = new File([new Uint8Array(5_000_000)], 'large.txt');
  const onProgress = (sent: number) => sent > 0 && leaving.abort(reason);
  await assert.rejects(client.upload({ file, vectorStore: 'help' }, { onProgress, signal: leaving.signal }), reason);
});

test('client.upload: a Blob needs a file name', async () => {
  const client = await sharedClient();
  await assert.rejects(
    client.upload({ file: new Blob(['a']), vectorStore: 'help' }),
    /^TypeError: fileName: is required/,
  );
});
