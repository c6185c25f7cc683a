import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { EVENTS } from '../support/app.ts';
import { createKey, eventually, newDataDirectory, startServer } from '../support/process.ts';

const PRELOAD = fileURLToPath(new URL('./exceptions-preload.ts', import.meta.url));

test('Exceptions: one in each timer, message and data handler; the server lives', { timeout: 120_000 }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const environment = { NODE_OPTIONS: `--import ${PRELOAD}`, AGENT_RUNTIME_RATE_LIMIT: '0' };
  const server = await startServer(t, dataDir, { environment });
  const sites = () =>
    new Set([...server.output().stderr.matchAll(/injected at ([\w./-]+:\d+)/g)].map(([, site]) => site!));
  let stored = 0;
  /** Null: the connection was closed, which tells the client as well. */
  const ask = async (path: string, init: RequestInit = {}): Promise<number | null> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...init.headers };
    const signal = AbortSignal.timeout(20_000);
    try {
      const response = await fetch(`${server.url}${path}`, { signal, ...init, headers });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      assert.ok(!signal.aborted, `${path} is never answered`);
      assert.ok(error instanceof Error);
      return null;
    }
  };
  const events = JSON.stringify({ events: [{ eventName: 'load' }] });
  const ingest = async (init: RequestInit) => {
    if ((await ask(EVENTS, { method: 'POST', ...init })) === 202) stored += 1;
  };
  const upload = () => {
    const body = new FormData();
    body.append('file', new File(['A text to find.'], 'a.txt', { type: 'text/plain' }));
    return fetch(`${server.url}/api/v1/runtime/v1/vectors/stores/help/documents`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body,
      signal: AbortSignal.timeout(20_000),
    }).then((response) => response.status);
  };
  const query = JSON.stringify({ eventName: 'load', mode: 'aggregate' });
  for (let round = 0; round < 6; round += 1) {
    await ingest({ body: events });
    await ingest({ body: gzipSync(events), headers: { 'content-encoding': 'gzip' } });
    await ask(`${EVENTS}/query`, { method: 'POST', body: query });
    await upload().catch((error: Error) => assert.notEqual(error.name, 'TimeoutError'));
  }
  let seen = 0;
  await eventually(
    'no more exceptions',
    async () => {
      const isOver = sites().size === seen && seen > 0;
      seen = sites().size;
      await new Promise((next) => setTimeout(next, 700));
      return isOver;
    },
    20_000,
  );
  assert.equal(server.child.exitCode, null, server.output().stderr);
  for (const wanted of [/^threads\/call-thread/, /^http\/body/, /^storage\/events\/duckdb/, /^core\//]) {
    assert.ok(
      [...sites()].some((site) => wanted.test(site)),
      `${wanted}: nothing was injected there`,
    );
  }
  await ingest({ body: events });
  assert.equal(await ask('/readyz'), 200);
  const { body } = await eventually(
    'what was acknowledged is counted',
    async () => {
      const answer = await server.request(key, 'POST', `${EVENTS}/query`, { eventName: 'load', mode: 'aggregate' });
      return answer.body.rows?.[0]?.count >= stored && answer;
    },
    10_000,
  ).then(({ found }) => found);
  assert.ok(stored > 6 && body.rows[0].count >= stored, `${stored} acknowledged`);
  assert.equal((await server.end('SIGTERM')).code, 0);
});
