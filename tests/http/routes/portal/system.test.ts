import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { PROGRAM } from '../../../../src/core/base/shared/program.ts';
import { type CheckFinding, SystemReports } from '../../../../src/core/operation/system.ts';
import { createLog } from '../../../../src/logging/log.ts';
import { skipOnServers, testApp } from '../../../support/app.ts';
import { newPerson, OWN_PAGE, PORTAL } from '../../../support/people.ts';
import { newDataDirectory, startServer } from '../../../support/process.ts';
import { runJson } from '../../../support/shell.ts';
import { callerOf } from '../../../support/users.ts';

const SYSTEM = `${PORTAL}/system`;
const DOCTOR = `${SYSTEM}/doctor`;
const skip = skipOnServers;

test('system: versions, memory and recent errors, for the operator of one tenant', { skip }, async (t) => {
  const log = createLog('info', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const app = await testApp(t, { rateLimit: 0, logLevel: 'info' }, undefined, log);
  const operator = await newPerson(app, { role: 'SUPER_ADMIN' });
  log.error({ err: new Error('the disk is away'), secret: 'a secret' }, 'event store');
  const { status, body } = await operator.request('GET', SYSTEM);
  assert.equal(status, 200, JSON.stringify(body));
  const versions = new Map(body.versions.map((one: { name: string; version: string }) => [one.name, one.version]));
  assert.equal(versions.get(PROGRAM.name), PROGRAM.version);
  assert.equal(versions.get('Node.js'), process.versions.node);
  for (const name of ['SQLite', 'DuckDB']) assert.match(String(versions.get(name)), /^v?\d+\.\d+/);
  assert.deepEqual([body.data.kind, body.nodes, body.logLevel], ['files', null, 'info']);
  assert.ok(body.memory.usedBytes > 0 && body.memory.limitBytes > 0);
  assert.ok(Date.parse(body.startedAt) < Date.now());
  const [line] = body.recentErrors;
  assert.deepEqual([line.level, line.message, line.detail], ['error', 'event store', 'the disk is away']);
  assert.doesNotMatch(JSON.stringify(body), /a secret/);
  for (const role of ['ADMIN', 'VIEWER'] as const) {
    const other = await newPerson(app, { role });
    assert.equal((await other.request('GET', SYSTEM)).status, 403);
    assert.equal((await other.request('POST', DOCTOR, {})).status, 403);
  }
  await app.runtime.tenants.create({ name: 'second' });
  assert.equal((await operator.request('GET', SYSTEM)).status, 403);
  assert.equal((await operator.request('POST', DOCTOR, {})).status, 403);
});

test('doctor: two at once are one, and both answers are right', { skip }, async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const operator = await newPerson(app, { role: 'SUPER_ADMIN' });
  const answers = await Promise.all([1, 2].map(() => operator.request('POST', DOCTOR, {})));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const { body } = answers.find(({ status }) => status === 200)!;
  assert.equal(body.ok, true, JSON.stringify(body.findings));
  const checks = body.findings.map(({ check }: CheckFinding) => check);
  for (const check of ['SQLite', 'data directory', 'server', 'flush', 'state database', 'disk']) {
    assert.ok(checks.includes(check), check);
  }
  assert.equal((await operator.request('POST', DOCTOR, {})).status, 200);
});

test('doctor: finds what the command finds beside the same server', { skip }, async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const { link } = await runJson(dataDir, 'users', 'login-link', 'admin@localhost');
  const secret = /#link=(.*)$/.exec(link)![1];
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${PORTAL}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...OWN_PAGE, ...headers },
      body: JSON.stringify(body),
    });
  const opened = await post('/login/link', { secret });
  const [, token] = /ar_session=([^;]+)/.exec(opened.headers.getSetCookie().join('\n'))!;
  const answer = await post('/system/doctor', {}, { cookie: `ar_session=${token}` });
  const report = (await answer.json()) as { ok: boolean; findings: CheckFinding[] };
  const { ok, findings } = await runJson(dataDir, 'doctor');
  // Figures that go on while both look.
  const steady = ({ check, status, message }: CheckFinding) =>
    ['disk', 'freshness'].includes(check) ? { check, status } : { check, status, message };
  assert.deepEqual(report.findings.map(steady), findings.map(steady));
  assert.equal(report.ok, ok);
});

test('SystemReports: checks that take too long end with a timeout, and can be repeated', async () => {
  let release: (found: CheckFinding[]) => void = () => undefined;
  const signals: AbortSignal[] = [];
  const reports = new SystemReports({
    tenants: { requireOperator: async () => undefined },
    facts: () => Promise.reject(new Error('not asked')),
    examine: (signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        release = resolve;
      });
    },
    effects: { now: () => 0 },
    doctorMs: 1,
  });
  const caller = callerOf({ id: 'user', tenantId: 'tenant', email: 'a@example.com', role: 'SUPER_ADMIN' });
  const examined = () => reports.doctor(caller, new AbortController().signal);
  const withCode = (code: string) => (error: unknown) => error instanceof RuntimeError && error.code === code;
  await assert.rejects(examined(), withCode('timeout'));
  assert.equal(signals[0]?.aborted, true);
  await assert.rejects(examined(), withCode('conflict'), 'the first has not ended');
  release([]);
  await assert.rejects(examined(), withCode('timeout'));
});
