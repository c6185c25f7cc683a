import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { openState } from '../../../../src/app/state.ts';
import { loadConfig } from '../../../../src/config.ts';
import { STATE_FILE } from '../../../../src/storage/installation/names.ts';
import { skipOnServers } from '../../../support/app.ts';
import { type ChatApp, chat, chatApp, EXECUTIONS, type Received } from '../../../support/chat.ts';
import { eventually } from '../../../support/process.ts';
import type { Outcome, Piece } from '../../../support/upstream/outcomes.ts';
import { fakeUpstream } from '../../../support/upstream/server.ts';

const timeout = 60_000;

/** Begins, waits for `release`, and ends. */
const HELD: Piece[] = [{ type: 'text', text: 'Once ' }, { type: 'hold' }, { type: 'text', text: 'upon a time' }];
const saying = (text: string): Outcome => ({ pieces: [{ type: 'text', text }] });

interface Begun {
  ended: Promise<Received>;
}

/** Resolves when the first byte of the answer is there. */
function begin(app: ChatApp, key = app.key): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const ended = chat(app, app.ask(), { key, onData: () => resolve({ ended }) });
    ended.catch(reject);
  });
}

const definition = (baseUrl: string) => ({ name: 'local', provider: 'custom', baseUrl, allowPrivateNetwork: true });

test('providers: a definition changed by another process applies to new chats only', {
  timeout,
  skip: skipOnServers,
}, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const other = await fakeUpstream(t);
  app.upstream.script({ pieces: HELD });
  const running = await begin(app);
  app.upstream.script(saying('old'));
  other.script(saying('new'));
  const beside = await openState(loadConfig({ dataDir: app.runtime.config.dataDir }, {}, {}));
  t.after(() => beside.close());

  const answers: string[] = [];
  let isOver = false;
  const asking = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { status, complete, text } = await chat(app, app.ask());
      assert.deepEqual([status, complete], [200, true]);
      answers.push(text);
      await sleep(5);
    }
  });
  await eventually('the old one is asked', async () => answers.length > 20, 20_000);
  await beside.providers.apply(app.tenantId, definition(other.baseUrl('custom')));
  await eventually('the new one is asked', async () => answers.at(-1) === 'new', 20_000);
  await sleep(200);
  isOver = true;
  await Promise.all(asking);
  const first = answers.indexOf('new');
  assert.ok(first > 20);
  // Those that were under way at the change may come after the first that was not.
  assert.deepEqual(new Set(answers.slice(first + 4)), new Set(['new']));
  app.upstream.release();
  const { complete, text } = await running.ended;
  assert.deepEqual([complete, text], [true, 'Once upon a time']);
});

test('providers: a removed provider finishes its chats and gets no new one', { timeout }, async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: HELD });
  const running = await begin(app);
  await app.runtime.providers.remove(app.tenantId, 'local');
  assert.equal((await chat(app, app.ask())).status, 400);
  app.upstream.release();
  assert.equal((await running.ended).text, 'Once upon a time');
});

test('keys: a revoked key gets its running answer and no other', { timeout }, async (t) => {
  const app = await chatApp(t);
  const key = await app.newKey();
  app.upstream.script({ pieces: HELD });
  const running = await begin(app, key);
  const { credential } = await app.runtime.keyAuthenticator.authenticate(key);
  await app.runtime.keys.revoke(credential.id, null);
  assert.equal((await chat(app, app.ask(), { key })).status, 401);
  app.upstream.release();
  const received = await running.ended;
  assert.deepEqual([received.complete, received.text], [true, 'Once upon a time']);
  const { status, output } = await app.executionOf(received);
  assert.deepEqual([status, output], ['completed', 'Once upon a time']);
});

test('tenants: nothing remains of a tenant that is erased during a chat', {
  timeout,
  skip: skipOnServers,
}, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const { id } = await app.runtime.tenants.create({ name: 'other' });
  const key = await app.newKey({ tenant: 'other' });
  await app.runtime.providers.apply(id, definition(app.upstream.baseUrl('custom')));
  app.upstream.script({ pieces: HELD });
  const [leaving, ending] = await Promise.all([begin(app, key), begin(app, key)]);
  await eventually('both are recorded', async () => rowsOf(app, id).executions === 2, 20_000);
  app.upstream.script({
    pieces: [
      { type: 'text', text: 'a' },
      { type: 'pause', ms: 20 },
      { type: 'text', text: 'b' },
    ],
  });
  let isOver = false;
  const statuses = new Set<number>();
  const chatting = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const { status, complete } = await chat(app, app.ask(), { key });
      statuses.add(status);
      assert.ok(complete);
    }
  });
  await eventually('some have ended', async () => (rowsOf(app, id).executions ?? 0) > 20, 20_000);
  await app.runtime.erasure.erase({ tenant: id });
  isOver = true;
  await Promise.all(chatting);
  app.upstream.release();
  app.upstream.release();
  for (const { text } of [await leaving.ended, await ending.ended]) assert.equal(text, 'Once upon a time');
  assert.deepEqual(statuses, new Set([200, 401]));
  // Whatever was to be written of them has been.
  await chat(app, app.ask()).then((received) => app.executionOf(received));
  await app.runtime.eventStore.settle();
  assert.deepEqual(rowsOf(app, id), {});
  assert.deepEqual(await app.runtime.eventStore.knownEvents(id, null), []);
});

test('threads: nothing remains of a thread that is erased during its chat', {
  timeout,
  skip: skipOnServers,
}, async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: HELD });
  const running = await begin(app);
  await eventually('it is recorded', async () => rowsOf(app, app.tenantId).executions === 1, 20_000);
  const [id] = executionsOf(app);
  assert.equal((await app.request('POST', EXECUTIONS, { id, threadId: 'thread-1' })).status, 200);
  const { erased } = await app.runtime.erasure.erase({ tenant: 'default', threadId: 'thread-1' });
  assert.equal(erased.executions, 1);
  app.upstream.release();
  const received = await running.ended;
  assert.equal(received.text, 'Once upon a time');
  assert.equal((await app.executionOf(received)).statusCode, 404);
  await app.runtime.eventStore.settle();
  assert.deepEqual(await app.runtime.eventStore.knownEvents(app.tenantId, null), []);
});

function withState<Result>(app: ChatApp, look: (database: BetterSqlite3.Database) => Result): Result {
  const database = new BetterSqlite3(join(app.runtime.config.dataDir, STATE_FILE), { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** The rows of a tenant in each table on disk, without empty tables. */
function rowsOf(app: ChatApp, tenantId: string): Record<string, number> {
  return withState(app, (database) => {
    const tables = database
      .prepare(
        `SELECT tables.name FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.name = 'tenant_id'`,
      )
      .pluck()
      .all() as string[];
    const rows = (table: string) =>
      database.prepare(`SELECT count(*) FROM ${table} WHERE tenant_id = ?`).pluck().get(tenantId) as number;
    return Object.fromEntries(tables.map((table) => [table, rows(table)] as const).filter(([, count]) => count > 0));
  });
}

function executionsOf(app: ChatApp): string[] {
  return withState(app, (database) => database.prepare('SELECT id FROM executions').pluck().all() as string[]);
}
