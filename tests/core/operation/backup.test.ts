import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { BackupDownloads, type OpenBackup, type PreparedFacts } from '../../../src/core/operation/backup.ts';
import { callerOf } from '../../support/users.ts';

const caller = {
  ...callerOf({ id: 'user', tenantId: 'tenant', email: 'a@example.com', role: 'SUPER_ADMIN' }),
  sessionId: 'session',
};

/** Backups whose copy, timers and pieces the test holds. */
function heldBackups(refusal: string | null = null) {
  const prepared = Promise.withResolvers<PreparedFacts>();
  const state = {
    closed: 0,
    closing: null as Error | null,
    timers: [] as (() => void)[],
    audited: [] as string[],
    faults: [] as unknown[],
  };
  const open: OpenBackup = {
    prepared: prepared.promise,
    next: async () => null,
    close: async () => {
      state.closed += 1;
      if (state.closing) throw state.closing;
    },
  };
  const downloads = new BackupDownloads({
    tenants: { requireOperator: async () => undefined },
    maker: { refusal, open: () => open },
    audit: {
      record: async (_by, tenantId, action) => {
        state.audited.push(`${tenantId} ${action}`);
      },
    },
    effects: { now: () => Date.parse('2026-03-01T12:00:00Z') },
    timers: {
      after: (_ms, task) => {
        state.timers.push(task);
        return () => state.timers.splice(state.timers.indexOf(task), 1);
      },
    },
    onError: (error) => state.faults.push(error),
  });
  return { downloads, prepared, state };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const withCode = (code: string) => (error: unknown) => error instanceof RuntimeError && error.code === code;

test('BackupDownloads: what nobody fetches expires, and the next can begin', async () => {
  const { downloads, prepared, state } = heldBackups();
  const { ticket } = await downloads.begin(caller, { passphrase: 'x' });
  assert.equal((await downloads.status(caller)).current?.state, 'copying');
  prepared.resolve({ events: 3, size: 100 });
  await settled();
  assert.equal((await downloads.status(caller)).current?.state, 'ready');
  assert.equal(state.timers.length, 1);
  state.timers[0]!();
  await settled();
  const { current, last } = await downloads.status(caller);
  assert.deepEqual([current, last?.outcome, last?.events, state.closed], [null, 'expired', 3, 1]);
  await assert.rejects(downloads.take(caller, ticket, new AbortController().signal), withCode('not_found'));
  assert.notEqual((await downloads.begin(caller, { passphrase: 'x' })).ticket, ticket);
});

test('BackupDownloads: a copy that fails is told to whoever waits, and in the status', async () => {
  const { downloads, prepared, state } = heldBackups();
  const { ticket } = await downloads.begin(caller, { passphrase: 'x' });
  const taking = downloads.take(caller, ticket, new AbortController().signal);
  const fault = new RuntimeError('unavailable', 'There is not enough room in /data.');
  prepared.reject(fault);
  await assert.rejects(taking, fault);
  await settled();
  const { current, last } = await downloads.status(caller);
  assert.deepEqual([current, last?.outcome, last?.message], [null, 'failed', fault.message]);
  assert.deepEqual([state.closed, state.faults, state.audited], [1, [fault], []]);
});

test('BackupDownloads: a client that left while the copy was made ends it at once', async () => {
  const { downloads, state } = heldBackups();
  const { ticket } = await downloads.begin(caller, { passphrase: 'x' });
  const leaving = new AbortController();
  void downloads.take(caller, ticket, leaving.signal);
  await settled();
  leaving.abort();
  await settled();
  assert.deepEqual([(await downloads.status(caller)).last?.outcome, state.closed], ['cancelled', 1]);
});

test('BackupDownloads: a copy that cannot be removed is reported, and blocks nothing', async () => {
  const { downloads, state } = heldBackups();
  state.closing = new Error('EACCES');
  const { ticket } = await downloads.begin(caller, { passphrase: 'x' });
  const leaving = new AbortController();
  void downloads.take(caller, ticket, leaving.signal);
  await settled();
  leaving.abort();
  await settled();
  assert.deepEqual(state.faults, [state.closing]);
  assert.equal((await downloads.status(caller)).last?.outcome, 'cancelled');
  await downloads.begin(caller, { passphrase: 'x' });
});

test('BackupDownloads: one that was ended gives its ticket to nobody', async () => {
  const { downloads, state, prepared } = heldBackups();
  const { ticket } = await downloads.begin(caller, { passphrase: 'x' });
  prepared.resolve({ events: 3, size: 100 });
  await settled();
  const cancelling = downloads.cancel(caller);
  const taking = downloads.take(caller, ticket, new AbortController().signal);
  await assert.rejects(taking, withCode('not_found'));
  await cancelling;
  assert.deepEqual(state.audited, []);
});

test('BackupDownloads: nodes have none, and say why', async () => {
  const { downloads } = heldBackups('PostgreSQL has its own tools.');
  await assert.rejects(downloads.begin(caller, { passphrase: 'x' }), withCode('conflict'));
  assert.equal((await downloads.status(caller)).refusal, 'PostgreSQL has its own tools.');
});
