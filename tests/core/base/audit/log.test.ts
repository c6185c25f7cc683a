import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditLog } from '../../../../src/core/base/audit/log.ts';
import type { AuditEntry, AuditStore, Origin } from '../../../../src/core/base/audit/store.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function auditLog() {
  let now = 1_000 * DAY;
  const appended: AuditEntry[] = [];
  const pruned: number[] = [];
  const errors: unknown[] = [];
  let broken: Error | null = null;
  let origin: Origin = { requestId: null, address: null };
  const store: AuditStore = {
    append: async (entry) => {
      if (broken) throw broken;
      appended.push(entry);
    },
    list: async () => ({ items: appended, total: appended.length, hasMore: false }),
    next: async (_of, { after }) => appended.filter(({ id }) => id > (after?.id ?? '')).slice(0, 500),
    prune: async (before) => {
      pruned.push(before);
      return 0;
    },
  };
  const audit = new AuditLog({
    store,
    effects: { now: () => now, newId: () => `id ${String(appended.length).padStart(6, '0')}` },
    origin: () => origin,
    onError: (error) => errors.push(error),
  });
  return {
    audit,
    appended,
    pruned,
    errors,
    record: (tenantId = 'one') => audit.record(null, tenantId, 'key.created', null),
    from: (requestId: string | null, address: string | null) => {
      origin = { requestId, address };
    },
    pass: (ms: number) => {
      now += ms;
      return now;
    },
    breakWith: (error: Error | null) => {
      broken = error;
    },
  };
}

const CALLER: Caller = {
  tenantId: 'one',
  agentId: null,
  label: 'ada@example.com',
  scopes: ['*'],
  timezone: 'UTC',
  credential: { kind: 'user', id: 'ada' },
  userId: 'ada',
  role: 'ADMIN',
};

test('AuditLog: a caller, another actor and the operator (null) are recorded', async () => {
  const { audit, appended } = auditLog();
  await audit.record(CALLER, 'one', 'a.done', 'target', { x: 1 });
  await audit.record({ kind: 'user', id: 'eve', label: 'eve@example.com' }, 'two', 'b.done', null);
  await audit.record(null, 'one', 'c.done', 'target');
  assert.deepEqual(
    appended.map(({ id, at, address, requestId, ...rest }) => rest),
    [
      {
        tenantId: 'one',
        actor: { kind: 'user', id: 'ada', label: 'ada@example.com' },
        action: 'a.done',
        target: 'target',
        details: { x: 1 },
      },
      {
        tenantId: 'two',
        actor: { kind: 'user', id: 'eve', label: 'eve@example.com' },
        action: 'b.done',
        target: null,
        details: {},
      },
      {
        tenantId: 'one',
        actor: { kind: 'operator', id: null, label: 'operator' },
        action: 'c.done',
        target: 'target',
        details: {},
      },
    ],
  );
});

test('AuditLog: a line that cannot be written is reported and fails nothing', async () => {
  const { record, errors, breakWith, appended } = auditLog();
  const error = new Error('no room');
  breakWith(error);
  await record();
  assert.deepEqual([errors, appended.length], [[error], 0]);
  breakWith(null);
  await record();
  assert.deepEqual([errors.length, appended.length], [1, 1]);
});

test('AuditLog: lines past their retention are removed at the first line, then hourly', async () => {
  const { record, pruned, pass } = auditLog();
  await record();
  assert.deepEqual(pruned, [600 * DAY]);
  for (let count = 0; count < 20_001; count++) await record();
  pass(HOUR - 1);
  await record();
  assert.equal(pruned.length, 1, 'by time, however many lines there are');
  const now = pass(1);
  await record('two');
  assert.deepEqual(pruned.slice(1), [now - 400 * DAY]);
});

test('AuditLog: a line has the request id and the client address', async () => {
  const { audit, appended, from } = auditLog();
  from('request-1', '192.0.2.7');
  await audit.record(CALLER, 'one', 'key.created', 'k');
  from(null, null);
  await audit.record(null, null, 'backup.created', null);
  assert.deepEqual(
    appended.map(({ tenantId, requestId, address }) => [tenantId, requestId, address]),
    [
      ['one', 'request-1', '192.0.2.7'],
      [null, null, null],
    ],
  );
});

test('AuditLog: repeated failures are one line and a count; changes have a line each', async () => {
  const { audit, appended, from } = auditLog();
  const eve = { kind: 'user', id: 'eve', label: 'eve@example.com' } as const;
  const fail = () => audit.record(eve, 'one', 'login.failed', 'eve', { reason: 'wrong password' });
  from('request-1', '192.0.2.7');
  for (let count = 0; count < 500; count++) await fail();
  from('request-2', '192.0.2.8');
  await fail();
  for (let count = 0; count < 3; count++) await audit.record(CALLER, 'one', 'key.created', 'k');
  assert.deepEqual(linesOf(appended), [
    ['login.failed', 'request-1', '192.0.2.7', { reason: 'wrong password' }],
    ['login.failed', 'request-2', '192.0.2.8', { reason: 'wrong password' }],
    ...Array.from({ length: 3 }, () => ['key.created', 'request-2', '192.0.2.8', {}]),
  ]);
  appended.length = 0;
  await audit.settled();
  assert.deepEqual(linesOf(appended), [
    ['login.failed', null, '192.0.2.7', { reason: 'wrong password', repeated: 499 }],
  ]);
  await audit.settled();
  assert.equal(appended.length, 1, 'nothing is counted twice');
  await fail();
  assert.equal(appended.length, 2, 'after the count, the next is a line again');
});

test('AuditLog: different failures of one actor are ten lines and a count', async () => {
  const { audit, appended, from } = auditLog();
  const refuse = (id: string, route: string, tenantId = 'one') =>
    audit.record({ kind: 'key', id, label: id }, tenantId, 'request.refused', null, { route });
  for (let count = 0; count < 300; count++) {
    from(`request-${count}`, `192.0.2.${count % 200}`);
    await refuse('loud', `/route-${count}`);
  }
  await refuse('quiet', '/route');
  await refuse('loud', '/route', 'two');
  assert.equal(appended.length, 12);
  appended.length = 0;
  await audit.settled();
  assert.deepEqual(
    appended.map(({ actor, tenantId, target, address, details }) => [actor.id, tenantId, target, address, details]),
    [['loud', 'one', null, null, { leftOut: 290 }]],
  );
});

test('AuditLog: an export is NDJSON, oldest first, and is recorded itself', async () => {
  const { audit, appended, record } = auditLog();
  for (let count = 0; count < 1_200; count++) await record();
  const query = { action: undefined, dateFrom: '2020-01-01', dateTo: undefined };
  const chunks = await audit.export(CALLER, query);
  assert.equal(appended.length, 1_200 + 1);
  const text = (await Array.fromAsync(chunks)).join('');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ id }) => id),
    appended.map(({ id }) => id),
  );
  const { action, details, at } = lines.at(-1);
  assert.deepEqual(
    [action, details, at],
    ['audit_log.exported', { dateFrom: '2020-01-01' }, '1972-09-27T00:00:00.000Z'],
  );
  await assert.rejects(audit.export(CALLER, { ...query, dateFrom: 'soon' }), { code: 'invalid' });
  for (const role of ['USER', 'VIEWER', 'HUB_USER', null] as const) {
    await assert.rejects(audit.export({ ...CALLER, role }, query), { code: 'forbidden' });
  }
});

test('AuditLog: only administrators of the portal read it', async () => {
  const { audit, record } = auditLog();
  await record();
  const query = { action: undefined, limit: 10, offset: 0 };
  const [line] = (await audit.entries(CALLER, query)).items;
  const members = ['action', 'actor', 'address', 'at', 'details', 'id', 'requestId', 'target'];
  assert.deepEqual(Object.keys(line ?? {}).sort(), members);
  assert.equal(line?.at, new Date(1_000 * DAY).toISOString());
  for (const role of ['USER', 'VIEWER', 'HUB_USER', null] as const) {
    await assert.rejects(audit.entries({ ...CALLER, role }, query), { code: 'forbidden' });
  }
});

function linesOf(entries: AuditEntry[]) {
  return entries.map(({ action, requestId, address, details }) => [action, requestId, address, details]);
}
