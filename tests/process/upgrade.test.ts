import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { dataDirectoryOf } from '../support/fixtures.ts';
import { countOverMcp, runProgram, type Server, startMcp, startServer } from '../support/process.ts';
import { runJson } from '../support/shell.ts';

const OBSERVABILITY = '/api/v1/runtime/v1/observability';

test('Upgrade: a start on the data of version 0.2 keeps everything', async (t) => {
  const dataDir = await dataDirectoryOf(t, '0.2');
  const oldKey = /ar_\S+/.exec(readFileSync(join(dataDir, 'first-run.txt'), 'utf8'))![0];
  // The ids were sent when the data was made.
  const server = await startServer(t, dataDir, { environment: { AGENT_RUNTIME_DEDUP_DAYS: '3650' } });
  assert.equal((await server.request(oldKey, 'GET', `${OBSERVABILITY}/events/feed`)).status, 200);
  const { key } = await runJson(dataDir, 'keys', 'create', '--label', 'all', '--scopes', '*');
  const get = async (path: string) => (await server.request(key, 'GET', path)).body;

  const { client } = await startMcp(t, dataDir, key);
  assert.equal(await countOverMcp(client, 'ticket_resolved'), 301, 'the last one was accepted just before the kill');
  assert.equal(await stored(server, key, 'e-299'), 'duplicate', 'ids of callers are known');

  const [card] = (await get('/api/v1/runtime/observability/dashboard-cards?agentId=support')).cards;
  assert.equal(card.title, 'Median minutes');
  const { reviews } = await get(`${OBSERVABILITY}/reviews?search=cart%C3%A3o`);
  assert.equal(reviews.length, 1, 'the plural was stored');
  const execution = await get(`${OBSERVABILITY}/executions/${reviews[0].executionId}`);
  assert.equal(execution.messages[0].content, 'My card was charged twice');

  const search = { query: 'how long does a refund take' };
  const { body } = await server.request(key, 'POST', '/api/v1/runtime/v1/vectors/stores/help/search', search);
  assert.match(JSON.stringify(body), /fourteen days/);

  for (const [command, name] of [
    ['providers', 'local'],
    ['connectors', 'github'],
    ['credentials', 'github'],
    ['tenants', 'acme'],
  ] as const) {
    assert.match(JSON.stringify(await runJson(dataDir, command, 'list')), new RegExp(`"${name}"`), command);
  }
  assert.equal((await server.end('SIGTERM')).code, 0);
  const { code, stdout } = await runProgram(t, ['doctor', '--data-dir', dataDir]);
  assert.equal(code, 0, stdout);
});

test('Upgrade: going back is refused, with what to do', async (t) => {
  const dataDir = await dataDirectoryOf(t, '0.2');
  await runJson(dataDir, 'tenants', 'list');
  const database = new BetterSqlite3(join(dataDir, STATE_FILE));
  database.prepare(`INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00Z')`).run();
  database.close();
  const { code, stderr } = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
  assert.ok(code !== 0);
  assert.match(
    stderr,
    /written by a newer agent-runtime \(migration 9999-future\)\. Install that version again, or restore/,
  );
});

async function stored(server: Server, key: string, id: string): Promise<string> {
  const events = [{ id, eventName: 'ticket_resolved', agentId: 'support' }];
  const { body } = await server.request(key, 'POST', `${OBSERVABILITY}/events`, { events });
  return body.duplicates === 1 ? 'duplicate' : 'new';
}
