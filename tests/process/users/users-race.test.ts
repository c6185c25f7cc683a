import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { whileOpen } from '../../support/backup.ts';
import { createKey, eventually, newDataDirectory } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { addUser } from '../../support/users.ts';
import type { Attempt } from './users-race-child.ts';

const CHILD = fileURLToPath(new URL('./users-race-child.ts', import.meta.url));

async function race(t: TestContext, dataDir: string, key: string, attempts: Attempt[][]): Promise<string[][]> {
  const children = attempts.map((own) => {
    const child = spawn(process.execPath, [CHILD, dataDir, key, JSON.stringify(own)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
    const ended = new Promise<string[]>((resolve, reject) => {
      child.on('close', (code) => (code === 0 ? resolve(written.split('\n')) : reject(new Error(`child: ${code}`))));
    });
    return { child, isReady: async () => written.startsWith('ready'), ended };
  });
  for (const { isReady } of children) await eventually('a child', isReady, 30_000);
  const startAt = String(Date.now() + 200);
  for (const { child } of children) child.stdin.end(startAt);
  const lines = await Promise.all(children.map(({ ended }) => ended));
  return lines.map(([, outcomes]) => JSON.parse(outcomes ?? '') as string[]);
}

rareTest('users: one of two administrators survives demotions by four processes', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  for (let round = 0; round < 2; round++) {
    const both = await whileOpen(dataDir, async (app) => [
      await addUser(app, { role: 'ADMIN', email: `a${round}@example.com` }),
      await addUser(app, { role: 'SUPER_ADMIN', email: `b${round}@example.com` }),
      ...(await app.runtime.users.listAll(app.tenantId)).filter(({ role, isActive }) => role !== 'USER' && isActive),
    ]);
    const attempts = Array.from({ length: 4 }, (_, child) =>
      Array.from({ length: 6 }, (_, index) => ({
        id: both[(child + index) % both.length]!.id,
        changes: index % 2 ? ({ isActive: false } as const) : ({ role: 'USER' } as const),
      })),
    );
    const outcomes = new Set((await race(t, dataDir, key, attempts)).flat());
    assert.deepEqual([...outcomes].sort(), ['conflict', 'done']);
    const left = await whileOpen(dataDir, async ({ runtime, tenantId }) =>
      (await runtime.users.listAll(tenantId)).filter(({ role, isActive }) => isActive && role !== 'USER'),
    );
    assert.equal(left.length, 1);
  }
});

rareTest('users: one of four processes gets an e-mail', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const people = await whileOpen(dataDir, (app) =>
    Promise.all(Array.from({ length: 24 }, (_, index) => addUser(app, { email: `p${index}@example.com` }))),
  );
  const changes = (index: number) => ({ email: index % 2 ? 'one@example.com' : 'ONE@example.com' });
  const attempts = Array.from({ length: 4 }, (_, child) =>
    people.slice(child * 6, child * 6 + 6).map(({ id }, index) => ({ id, changes: changes(index) })),
  );
  const outcomes = (await race(t, dataDir, key, attempts)).flat();
  assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 23);
});
