import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { execution } from '../contracts/execution-store.ts';
import { assessmentsOf, QUALITY, RUBRICS } from '../http/routes/assessments/support.ts';
import { assertError } from '../http/routes/dashboards/support.ts';
import {
  COMMENT,
  type Desk,
  EXECUTIONS,
  EXPORT,
  existsFor,
  newDesk,
  REVIEWS,
  reviewsOf,
} from '../http/routes/reviews/support.ts';
import { answersOf, type Endpoint, eventsOf, fill, request } from '../support/answers.ts';
import { EVENTS, skipOnServers, type TestApp, testApp } from '../support/app.ts';
import { whileOpen } from '../support/backup.ts';
import { ingested } from '../support/knowledge.ts';
import { eventually, newDataDirectory, readyUrl, runProgram, startServe, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

async function twoTenants(t: TestContext): Promise<{ dataDir: string; keys: [string, string] }> {
  const dataDir = newDataDirectory(t);
  const keys = await whileOpen(dataDir, async (app) => {
    await app.runtime.tenants.create({ name: 'other' });
    const both: [string, string] = [await app.newKey(), await app.newKey({ tenant: 'other' })];
    for (const [index, key] of both.entries()) await fill({ url: app.url, key }, `who ${index}`);
    return both;
  });
  return { dataDir, keys };
}

const total = async (endpoint: Endpoint) => (await request(endpoint, 'GET', `${EVENTS}/feed?limit=1`)).body.total;
const send = async (endpoint: Endpoint, events: object[]) => (await request(endpoint, 'POST', EVENTS, { events })).body;

rareTest('erase: on a serving directory the tenant is gone at once, and nothing else', async (t) => {
  const { dataDir, keys } = await twoTenants(t);
  const { url } = await startServer(t, dataDir);
  const [kept, other] = keys.map((key) => ({ url, key })) as [Endpoint, Endpoint];
  const before = await answersOf(kept);

  const thread = ['erase', '--tenant', 'other', '--thread', 'thread 3', '--yes', '--data-dir', dataDir];
  const { stdout } = await runProgram(t, thread);
  assert.match(
    stdout,
    /^Erased thread thread 3 of the tenant other: 3 reviews, 2 assessments, 14 events, 2 executions\.\n/,
  );
  assert.match(
    stdout,
    /written over or given back in time: until then old bytes may remain there\.\nBackups made before still hold it\.\n/,
  );
  assert.equal(await total(other), 108);
  const { accepted, duplicates } = await send(other, eventsOf('who 1'));
  assert.deepEqual([accepted, duplicates], [12, 108], 'ids that were erased are new again');
  assert.deepEqual(await answersOf(kept), before);

  const user = ['erase', '--tenant', 'other', '--user', 'nobody', '--yes', '--data-dir', dataDir];
  assert.match((await runProgram(t, user)).stdout, /^Erased end user nobody of the tenant other: nothing was kept/);
  const both = await runProgram(t, [...user, '--thread', 'thread 3']);
  assert.deepEqual([both.code, both.stderr], [1, 'error: --user: cannot be combined with --thread\n']);
  assert.equal(await total(other), 120);

  await ingested(other, { name: 'help.md', content: 'A refund takes five days.' });
  const erased = await runJson(dataDir, 'erase', '--tenant', 'other', '--yes');
  assert.deepEqual([erased.tenant, erased.threadId, erased.userId], ['other', null, null]);
  const { events, ...rest } = erased.erased;
  // Those of three executions that ended; the end of the ingestion is an event, which follows it.
  assert.ok(events === 123 || events === 124, `${events} events`);
  assert.deepEqual(rest, {
    ...{
      reviews: 3,
      assessments: 2,
      rubrics: 2,
      executions: 3,
      dashboardCards: 8,
      dashboardTabs: 2,
      dashboardLinks: 0,
      agents: 2,
      users: 0,
      apiKeys: 1,
    },
    ...{
      providers: 0,
      connectors: 0,
      credentials: 0,
      deliveries: 0,
      metrics: 0,
      terms: 0,
      annotations: 0,
      alerts: 0,
      digests: 0,
      segments: 0,
      queues: 0,
      grants: 0,
      identityProviders: 0,
      invitations: 0,
      documents: 1,
    },
  });
  assert.equal((await request(other, 'GET', `${EVENTS}/feed`)).status, 401);
  assert.deepEqual(await answersOf(kept), before);
  const again = await runProgram(t, ['erase', '--tenant', 'other', '--yes', '--data-dir', dataDir]);
  assert.deepEqual([again.code, again.stdout], [1, '']);
  assert.equal(again.stderr, 'error: There is no tenant "other". Known tenants: default.\n');
});

rareTest('erase: works without a server and names copies that still hold the data', async (t) => {
  const { dataDir, keys } = await twoTenants(t);
  const [kept, gone] = keys;
  const { before, other } = await whileOpen(dataDir, async ({ url, runtime }) => ({
    before: await answersOf({ url, key: kept }),
    other: await runtime.tenants.get('other'),
  }));
  mkdirSync(join(dataDir, 'before-restore-x'));
  const unasked = await runCommand(['erase', '--tenant', 'other', '--data-dir', dataDir]);
  assert.equal(unasked.code, 1);
  assert.match(
    unasked.stderr,
    /--yes: is needed to erase everything of the tenant "other"; there is no terminal to ask/,
  );
  const { erased, copies } = await runJson(dataDir, 'erase', '--tenant', other.id, '--yes');
  assert.deepEqual([erased.reviews, erased.assessments, erased.executions, erased.events], [6, 4, 5, 125]);
  assert.deepEqual(copies, [join(dataDir, 'before-restore-x')]);
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.endsWith('.sock')),
    [],
  );
  await whileOpen(dataDir, async ({ url, runtime }) => {
    assert.deepEqual(await answersOf({ url, key: kept }), before);
    assert.equal((await request({ url, key: gone }, 'GET', `${EVENTS}/feed`)).status, 401);
    assert.deepEqual(await runtime.eventStore.knownEvents(other.id, null), []);
  });
  const tables = new BetterSqlite3(join(dataDir, STATE_FILE), { readonly: true });
  t.after(() => tables.close());
  for (const table of tablesWithTenant(tables)) {
    const { rows } = tables.prepare(`SELECT count(*) AS rows FROM ${table} WHERE tenant_id = ?`).get(other.id) as {
      rows: number;
    };
    assert.equal(rows, 0, table);
  }
});

rareTest('erase: requests of the tenant during its erasure are refused and not stored', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const { id } = await app.runtime.tenants.create({ name: 'other' });
  const endpoint = { url: app.url, key: await app.newKey({ tenant: 'other' }) };
  await send(endpoint, eventsOf('before'));
  let ended = false;
  const statuses = new Set<number>();
  const sending = Array.from({ length: 6 }, async (_, client) => {
    for (let sequence = 0; !ended; sequence++) {
      const { status } = await request(endpoint, 'POST', EVENTS, { events: eventsOf(`${client}-${sequence}`, 5) });
      statuses.add(status);
    }
  });
  const { erased } = await app.runtime.erasure.erase({ tenant: 'other' });
  ended = true;
  await Promise.all(sending);
  assert.ok((erased.events ?? 0) >= 120);
  assert.deepEqual(
    [...statuses].filter((status) => status !== 202 && status !== 401),
    [],
  );
  assert.equal(await left(app, id), 0);
  await assert.rejects(app.runtime.erasure.erase({ tenant: 'other' }), /There is no tenant "other"/);
});

test('erase: after a failure the tenant is unblocked and the erasure can be repeated', async (t) => {
  const app = await testApp(t);
  const { id } = await app.runtime.tenants.create({ name: 'other' });
  const endpoint = { url: app.url, key: await app.newKey({ tenant: 'other' }) };
  const { eventStore } = app.runtime;
  const { erase } = eventStore;
  eventStore.erase = async () => {
    throw new Error('the disk is full');
  };
  await assert.rejects(app.runtime.erasure.erase({ tenant: id }), /the disk is full/);
  assert.equal((await send(endpoint, eventsOf('again', 3))).accepted, 3);
  eventStore.erase = erase;
  assert.equal((await app.runtime.erasure.erase({ tenant: id })).erased.events, 3);
});

async function left({ runtime }: TestApp, tenantId: string): Promise<number> {
  return (await runtime.eventStore.knownEvents(tenantId, null)).reduce((sum, { events }) => sum + events, 0);
}

function tablesWithTenant(database: BetterSqlite3.Database): string[] {
  const rows = database
    .prepare<[], { name: string }>(
      `SELECT tables.name FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.name = 'tenant_id'`,
    )
    .all();
  assert.ok(rows.length >= 5);
  return rows.map(({ name }) => name);
}

const newRubric = (desk: Desk) => desk.right('POST', RUBRICS, QUALITY);
const assess = (desk: Desk, executionId: string) =>
  desk.right('POST', assessmentsOf(executionId), { rubric: QUALITY.name, answers: { is_right: true } });

rareTest('erase --thread: reviews of executions that are not queryable yet are erased too', async (t) => {
  const app = await testApp(t);
  for (let round = 0; round < 5; round++) {
    const desk = await newDesk(app);
    await desk.record({ id: 'without thread', output: 'secret' });
    await desk.review({}, 'without thread');
    await desk.review({}, 'not recorded');
    await newRubric(desk);
    for (const id of ['without thread', 'not recorded']) await assess(desk, id);
    await desk.right('POST', EVENTS, {
      events: ['without thread', 'not recorded'].map((executionId) => ({ eventName: 'a', threadId: 't', executionId })),
    });
    const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, threadId: 't' });
    const { events, ...rest } = erased;
    assert.deepEqual(rest, { reviews: 2, assessments: 2, executions: 1 });
    assert.ok(events === 2 || events === 3, 'the end of the execution may not be an event yet');
    assert.equal((await desk.list()).total, 0);
    assertError(await desk.request('GET', `${EXECUTIONS}/without thread`), 404, 'Not Found');
  }
});

test('erase --thread: erases its executions and reviews, and no others', async (t) => {
  const app = await testApp(t);
  const [desk, other] = [await newDesk(app), await newDesk(app)];
  for (const one of [desk, other]) {
    const { record, review } = one;
    await newRubric(one);
    for (const [id, threadId] of [
      ['one', 't'],
      ['two', 'u'],
      ['three', null],
    ] as const) {
      await record({ id, threadId });
      await review({}, id);
      await assess(one, id);
    }
  }
  const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, threadId: 't' });
  assert.deepEqual(erased, { reviews: 1, assessments: 1, executions: 1, events: 0 });
  assert.deepEqual((await desk.right('GET', existsFor('one'))).exists, false);
  for (const id of ['two', 'three']) assert.equal((await desk.right('GET', existsFor(id))).exists, true);
  assert.equal((await other.list()).total, 3);
  const assessments = async (one: Desk, id: string) => (await one.right('GET', assessmentsOf(id))).total;
  assert.deepEqual(
    [await assessments(desk, 'one'), await assessments(desk, 'two'), await assessments(other, 'one')],
    [0, 1, 1],
  );
  await desk.review({}, 'one');
});

test('erase --thread: repeated after a failure, it erases what was left', async (t) => {
  const app = await testApp(t);
  const desk = await newDesk(app);
  await desk.record({ id: 'run' });
  await desk.review({}, 'run');
  const sent = await desk.right('POST', EVENTS, { events: [{ eventName: 'a', threadId: 't', executionId: 'run' }] });
  assert.equal(sent.accepted, 1);
  const { executionStore } = app.runtime;
  const { erase } = executionStore;
  executionStore.erase = async () => {
    throw new Error('the disk is full');
  };
  const thread = { tenant: desk.tenant, threadId: 't' };
  await assert.rejects(app.runtime.erasure.erase(thread), /the disk is full/);
  executionStore.erase = erase;
  assert.deepEqual((await app.runtime.erasure.erase(thread)).erased, {
    reviews: 0,
    assessments: 0,
    executions: 1,
    events: 1,
  });
});

const USER = 'zarabatana-17';
const RECORDED = [
  { id: 'mine', threadId: 'private', userId: USER },
  { id: 'nobodys', threadId: 'private' },
  { id: 'mine too', threadId: 'shared', userId: USER },
  { id: 'other', threadId: 'shared', userId: 'other' },
  { id: 'alone', userId: USER },
  { id: 'alone too', userId: 'other' },
];
const TOLD = [
  { eventName: 'private', threadId: 'private' },
  { eventName: 'private', threadId: 'private', executionId: 'alone too' },
  { eventName: 'gone', executionId: 'alone' },
  { eventName: 'gone', executionId: 'alone', threadId: 'shared' },
  { eventName: 'gone', executionId: 'mine too', threadId: 'shared' },
  { eventName: 'kept', executionId: 'other', threadId: 'shared' },
  { eventName: 'kept', executionId: 'alone too' },
  { eventName: 'kept', threadId: 'shared' },
  { eventName: 'kept', properties: { userId: USER } },
];

/** Two end users, with a review and an assessment of each of their executions. */
async function deskOfUsers(app: TestApp): Promise<Desk> {
  const desk = await newDesk(app);
  await newRubric(desk);
  for (const members of RECORDED) {
    await desk.record({ ...members, status: 'completed', output: `of ${members.userId}` });
    await desk.review({}, members.id);
    await assess(desk, members.id);
  }
  await desk.right('POST', EVENTS, { events: TOLD });
  const hasEnds = async () => (await keptOf(app, desk)).events['runtime.execution_completed'] === RECORDED.length;
  await eventually('the events of executions that ended', hasEnds, 10_000);
  return desk;
}

/** What the stores have of a tenant. */
async function keptOf({ runtime }: TestApp, { tenantId, right, list }: Desk) {
  await runtime.eventStore.settle();
  const executions = await right('GET', EXECUTIONS);
  const known = await runtime.eventStore.knownEvents(tenantId, null);
  const assessments = await runtime.assessmentStore.countsOf(
    tenantId,
    RECORDED.map(({ id }) => id),
  );
  return {
    executions: executions.executions.map(({ id }: { id: string }) => id).sort(),
    reviews: (await list()).total,
    assessed: [...assessments.keys()].sort(),
    events: Object.fromEntries(known.map(({ eventName, events }) => [eventName, events])),
  };
}

test('erase --user: takes the threads of an end user, and nothing of others', async (t) => {
  const app = await testApp(t);
  const [desk, other] = [await deskOfUsers(app), await deskOfUsers(app)];
  const before = await keptOf(app, other);
  const { erased, userId, threadId } = await app.runtime.erasure.erase({ tenant: desk.tenant, userId: USER });
  assert.deepEqual([userId, threadId], [USER, null]);
  // Events told, and the ends of the four executions.
  assert.deepEqual(erased, { reviews: 4, assessments: 4, executions: 4, events: 5 + 4 });
  assert.deepEqual(await keptOf(app, desk), {
    executions: ['alone too', 'other'],
    reviews: 2,
    assessed: ['alone too', 'other'],
    events: { kept: 4, 'runtime.execution_completed': 2 },
  });
  assert.deepEqual(await keptOf(app, other), before, 'the end user of another tenant has the same id');
  const again = await app.runtime.erasure.erase({ tenant: desk.tenant, userId: USER });
  assert.deepEqual(again.erased, { reviews: 0, assessments: 0, executions: 0, events: 0 });
  await app.runtime.erasure.erase({ tenant: other.tenant, userId: USER });
  if (skipOnServers) return;
  const path = join(String(app.runtime.config.dataDir), STATE_FILE);
  const file = new BetterSqlite3(path);
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  const bytes = readFileSync(path).toString('latin1');
  for (const text of [USER, Buffer.from(USER).toString('hex')]) assert.ok(!bytes.includes(text), text);
});

test('erase --user: nobody, or an end user without executions, is not everybody', async (t) => {
  const app = await testApp(t);
  const desk = await deskOfUsers(app);
  const before = await keptOf(app, desk);
  const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, userId: 'unknown' });
  assert.deepEqual(erased, { reviews: 0, assessments: 0, executions: 0, events: 0 });
  const both = { tenant: desk.tenant, threadId: 'private', userId: USER };
  await assert.rejects(app.runtime.erasure.erase(both), /needs threadId or userId, not both/);
  await assert.rejects(app.runtime.erasure.erase({ tenant: desk.tenant, userId: '' }), /userId/);
  assert.deepEqual(await keptOf(app, desk), before);
});

test('erase --user: repeated after a failure, it erases what was left', async (t) => {
  const app = await testApp(t);
  const desk = await deskOfUsers(app);
  const { executionStore, eventStore } = app.runtime;
  const user = { tenant: desk.tenant, userId: USER };
  const { erase: eraseExecutions } = executionStore;
  executionStore.erase = async () => {
    throw new Error('the disk is full');
  };
  await assert.rejects(app.runtime.erasure.erase(user), /the disk is full/);
  executionStore.erase = eraseExecutions;
  const { erase: eraseEvents } = eventStore;
  let calls = 0;
  eventStore.erase = async (...args) => {
    calls += 1;
    if (calls > 2) throw new Error('the disk is full');
    return eraseEvents.call(eventStore, ...args);
  };
  await assert.rejects(app.runtime.erasure.erase(user), /the disk is full/);
  eventStore.erase = eraseEvents;
  assert.equal((await app.runtime.erasure.erase(user)).erased.executions, 0, 'they were erased before the failure');
  assert.deepEqual((await keptOf(app, desk)).events, { kept: 4, 'runtime.execution_completed': 2 });
});

test('erase --user: what outlived the executions goes with their events', async (t) => {
  const app = await testApp(t);
  const desk = await deskOfUsers(app);
  await app.runtime.eventStore.settle();
  await keptOf(app, desk);
  const recorded = await app.runtime.executionStore.expire(desk.tenantId, Date.now() + 1_000);
  assert.equal(recorded, RECORDED.length);
  const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, userId: USER });
  assert.deepEqual(erased, { reviews: 3, assessments: 3, executions: 0, events: 3 + 3 });
  const { events } = await keptOf(app, desk);
  assert.deepEqual(events, { private: 2, kept: 4, 'runtime.execution_completed': 3 });
});

test('erase --user: works in pages, to the last execution', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const desk = await newDesk(app);
  const { executionStore } = app.runtime;
  for (let index = 0; index < 2_100; index++) {
    const threadId = index % 3 === 0 ? null : `thread ${index % 700}`;
    await executionStore.put(desk.tenantId, execution({ id: `e${index}`, userId: USER, threadId }), null);
  }
  await executionStore.put(desk.tenantId, execution({ id: 'kept', userId: 'other', threadId: 'thread 1' }), null);
  const { erased } = await app.runtime.erasure.erase({ tenant: desk.tenant, userId: USER });
  assert.equal(erased.executions, 2_100);
  assert.equal((await desk.right('GET', EXECUTIONS)).total, 1);
});

rareTest('erase: concurrent writes of the tenant leave nothing behind and cause no failure', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const errors: unknown[] = [];
  app.runtime.log.error = (...told: unknown[]) => errors.push(told);
  for (let round = 0; round < 3; round++) {
    const desk = await newDesk(app);
    const known = await desk.review({}, 'known');
    await newRubric(desk);
    for (let index = 0; index < 30; index++) await desk.review();
    let ended = false;
    const statuses = new Set<number>();
    const doing = Array.from({ length: 6 }, async (_, client) => {
      for (let index = 0; !ended; index++) {
        const id = `run ${client} ${index}`;
        const answers = await Promise.all([
          desk.request('POST', EXECUTIONS, { id, output: 'x' }),
          desk.request('POST', reviewsOf(id), { rating: 'bad', comment: COMMENT }),
          desk.request('POST', assessmentsOf(id), { rubric: QUALITY.name, answers: { is_right: true } }),
          desk.request('POST', EXECUTIONS, { id: 'same', output: `${client} ${index}` }),
          desk.request('PATCH', `${REVIEWS}/${known.id}`, { actionTaken: id }),
          desk.request('GET', `${REVIEWS}?search=letras`),
          desk.request('GET', EXPORT),
        ]);
        for (const { status } of answers) statuses.add(status);
      }
    });
    await app.runtime.erasure.erase({ tenant: desk.tenant });
    ended = true;
    await Promise.all(doing);
    const left = [...statuses].filter((status) => ![200, 201, 401, 404, 409].includes(status));
    assert.deepEqual(left, []);
    const remaining = await app.runtime.reviewStore.list(desk.tenantId, {}, { limit: 9, offset: 0 });
    assert.deepEqual(remaining, { items: [], total: 0 });
    assert.equal(await app.runtime.executionStore.erase(desk.tenantId, null), 0);
    assert.equal(await app.runtime.assessmentStore.erase(desk.tenantId, null), 0);
    assert.deepEqual(await app.runtime.reviewStore.counts(desk.tenantId, 'support'), []);
  }
  assert.deepEqual(errors, []);
});

interface Line {
  tenantId: string | null;
  at: string;
  actor: { kind: string };
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  address: string | null;
  requestId: string | null;
}

rareTest('audit export: reads the logs of tenants and installation while a server runs', async (t) => {
  const dataDir = newDataDirectory(t);
  const backup = join(dataDir, '..', 'a.backup');
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, '--data-dir', dataDir]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const exported = async (...args: string[]): Promise<Line[]> =>
    (await command('audit', 'export', ...args))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const program = startServe(t, dataDir);
  await readyUrl(program);
  const { id: acme } = JSON.parse(await command('tenants', 'create', 'acme', '--json'));
  await command('keys', 'create', '--tenant', 'acme', '--label', 'x', '--scopes', 'mcp:read');
  await command('backup', backup);
  const actionsOf = (lines: Line[]) => lines.map(({ action }) => action);

  const own = await exported('--tenant', 'acme');
  assert.deepEqual(actionsOf(own), ['key.created', 'audit_log.exported']);
  assert.ok(own.every(({ tenantId, actor }) => tenantId === acme && actor.kind === 'operator'));
  assert.ok(own.every(({ address, requestId }) => address === null && requestId === null));

  const installation = (await exported('--installation')).filter(({ target }) => target === acme || target === null);
  assert.deepEqual(actionsOf(installation), ['tenant.created', 'backup.created', 'audit_log.exported']);
  assert.ok(installation.every(({ tenantId }) => tenantId === null));
  assert.equal(installation[1]?.details.file, backup);

  assert.deepEqual(actionsOf(await exported('--action', 'backup.created', '--from', 'today')), ['backup.created']);
  assert.deepEqual(await exported('--to', '2020-01-01'), []);
  const [made] = own;
  const aboutKey = await exported('--actor', 'operator', '--target', String(made?.target));
  assert.deepEqual(actionsOf(aboutKey), ['key.created']);
  assert.deepEqual(await exported('--actor', 'nobody@example.com'), []);
  await command('erase', '--tenant', 'acme', '--yes');
  const all = await exported();
  assert.ok(!all.some(({ tenantId }) => tenantId === acme), 'its lines went with it');
  const erased = all.find(({ action }) => action === 'tenant.erased');
  assert.deepEqual([erased?.tenantId, erased?.target, erased?.details.apiKeys], [null, acme, 1]);

  const wrong = await runCommand(['audit', 'export', '--from', 'soon', '--data-dir', dataDir]);
  assert.match(wrong.stderr, /dateFrom: "soon" is not a date/);
  await program.end('SIGTERM');
  await command('restore', backup);
  const restored = await exported('--installation', '--action', 'backup.restored');
  assert.deepEqual([restored.length, restored[0]?.details.file], [1, backup]);
});
