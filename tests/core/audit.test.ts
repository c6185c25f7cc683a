import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditEntry, AuditLog, type AuditStore } from '../../src/core/audit.ts';
import type { Caller } from '../../src/core/caller.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A log over a store that only remembers what it was told. */
function auditLog() {
  let now = 1_000 * DAY;
  const appended: AuditEntry[] = [];
  const pruned: [tenantId: string, bounds: object][] = [];
  const errors: unknown[] = [];
  let broken: Error | null = null;
  const store: AuditStore = {
    append: async (entry) => {
      if (broken) throw broken;
      appended.push(entry);
    },
    list: async () => ({ items: appended, total: appended.length }),
    prune: async (...asked) => {
      pruned.push(asked);
      return 0;
    },
  };
  const audit = new AuditLog({
    store,
    effects: { now: () => now, newId: () => `id ${appended.length}` },
    onError: (error) => errors.push(error),
  });
  return {
    audit,
    appended,
    pruned,
    errors,
    record: (tenantId = 'one') => audit.record(null, tenantId, 'key.created', null),
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

test('whoever did it is written down: a caller by credential and label, another actor as given, null as the operator', async () => {
  const { audit, appended } = auditLog();
  await audit.record(CALLER, 'one', 'a.done', 'target', { x: 1 });
  await audit.record({ kind: 'user', id: 'eve', label: 'eve@example.com' }, 'two', 'b.done', null);
  await audit.record(null, 'one', 'c.done', 'target');
  assert.deepEqual(
    appended.map(({ id, at, ...rest }) => rest),
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

test('a line that cannot be written undoes nothing, and is told to whoever watches', async () => {
  const { record, errors, breakWith, appended } = auditLog();
  const error = new Error('no room');
  breakWith(error);
  await record();
  assert.deepEqual([errors, appended.length], [[error], 0]);
  breakWith(null);
  await record();
  assert.deepEqual([errors.length, appended.length], [1, 1]);
});

test('the log is tidied now and then: with the first line, every thousand lines, and every hour that brings one', async () => {
  const { record, pruned, pass } = auditLog();
  const bounds = (now: number) => ({ before: now - 400 * DAY, keep: 20_000 });
  await record();
  assert.deepEqual(pruned, [['one', bounds(1_000 * DAY)]]);
  for (let count = 0; count < 1_000; count++) await record();
  assert.equal(pruned.length, 1);
  await record();
  assert.equal(pruned.length, 2);
  pass(HOUR - 1);
  await record();
  assert.equal(pruned.length, 2);
  const now = pass(1);
  await record();
  assert.deepEqual(pruned[2], ['one', bounds(now)]);
  await record('two');
  assert.deepEqual(pruned[3], ['two', bounds(now)], 'each tenant for itself');
});

test('the log is for administrators of the portal', async () => {
  const { audit, record } = auditLog();
  await record();
  const query = { action: undefined, limit: 10, offset: 0 };
  const [line] = (await audit.entries(CALLER, query)).items;
  assert.deepEqual(Object.keys(line ?? {}).sort(), ['action', 'actor', 'at', 'details', 'id', 'target']);
  assert.equal(line?.at, new Date(1_000 * DAY).toISOString());
  for (const role of ['USER', 'VIEWER', 'HUB_USER', null] as const) {
    await assert.rejects(audit.entries({ ...CALLER, role }, query), { code: 'forbidden' });
  }
});
