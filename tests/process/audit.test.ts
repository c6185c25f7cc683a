import assert from 'node:assert/strict';
import { join } from 'node:path';

import { newDataDirectory, readyUrl, startServe } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand } from '../support/shell.ts';

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
