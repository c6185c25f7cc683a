import assert from 'node:assert/strict';
import { chownSync, lchownSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CONFIG_FILE, loadConfig } from '../src/config.ts';
import { temporaryDirectory } from './support/app.ts';

test('loadConfig: sizes of memory name a unit and have a minimum', () => {
  const load = (environment: Record<string, string>) => loadConfig({}, {}, environment);
  const queries = (size: string) => load({ AGENT_RUNTIME_QUERY_MEMORY: size }).queryMemory;
  assert.deepEqual(['100MB', '0.1GB', '512 mb', '2GB'].map(queries), [100e6, 100e6, 512e6, 2e9]);
  for (const size of ['63MB', '0.05GB']) assert.throws(() => queries(size), /QUERY_MEMORY.* must be at least 64MB$/);
  for (const size of ['512', 'much']) assert.throws(() => queries(size), /QUERY_MEMORY.* must look like 512MB or 2GB$/);
  assert.throws(() => load({ AGENT_RUNTIME_MEMORY: '200MB' }), /_MEMORY.* must be at least 256MB$/);
});

test('loadConfig: queries have a share of the memory unless it is set', () => {
  const queries = (environment: Record<string, string>) => loadConfig({}, {}, environment).queryMemory;
  assert.equal(queries({ AGENT_RUNTIME_MEMORY: '260MB' }), 64e6);
  const some = queries({ AGENT_RUNTIME_MEMORY: '700MB' });
  assert.ok(some > 64e6 && some < 400e6, String(some));
  assert.equal(queries({ AGENT_RUNTIME_MEMORY: '260MB', AGENT_RUNTIME_QUERY_MEMORY: '300MB' }), 300e6);
});

test('loadConfig: nodes need three URLs and a secret key, together', () => {
  const nodes = {
    databaseUrl: 'postgres://user:a-password@db/agent_runtime',
    clickhouseUrl: 'http://clickhouse:8123/events',
    uploadsUrl: 's3://files/uploads?region=eu-central-1',
  };
  const secretKey = 'x'.repeat(32);
  const load = (settings: object) => () => loadConfig(settings, {}, {});
  assert.equal(load({ secretKey })().nodes, null);
  assert.deepEqual(load({ ...nodes, secretKey })().nodes, nodes);
  for (const [name, url] of Object.entries(nodes)) {
    const others = Object.keys(nodes).filter((other) => other !== name);
    const variables = others.map((other) => `AGENT_RUNTIME_${other.replace('Url', '_URL').toUpperCase()}`);
    assert.throws(
      load({ [name]: url, secretKey }),
      new RegExp(`Also set ${variables.join(' and ')}: nodes need .*files`),
    );
  }
  assert.throws(load(nodes), /Also set AGENT_RUNTIME_SECRET_KEY: .*openssl rand -base64 32/);
  assert.throws(load({ ...nodes, databaseUrl: 'mysql://user:a-password@db/x', secretKey }), (error: Error) => {
    assert.match(error.message, /databaseUrl .*It must look like postgres:/);
    assert.doesNotMatch(error.message, /a-password/);
    return true;
  });
});

test('loadConfig: a file of another user is refused, except that of the service', (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root can give files away');
  const [nobody, cwd] = [65_534, temporaryDirectory(t)];
  const back = process.cwd();
  t.after(() => process.chdir(back));
  process.chdir(cwd);
  writeFileSync(CONFIG_FILE, '{"port":4000}');
  assert.equal(loadConfig({}, {}, {}).port, 4_000);
  chownSync(CONFIG_FILE, nobody, nobody);
  assert.throws(() => loadConfig({}, {}, {}), /config\.json: belongs to user 65534, .* as user 0\. .*`chown 0 /);
  assert.throws(() => loadConfig({ dataDir: cwd }, {}, {}), /belongs to user 65534/);
  chownSync(cwd, nobody, nobody);
  assert.equal(loadConfig({ dataDir: cwd }, {}, {}).port, 4_000);
  assert.equal(loadConfig({}, {}, { AGENT_RUNTIME_DATA_DIR: cwd }).port, 4_000);
  assert.throws(() => loadConfig({}, {}, {}), /belongs to user 65534/, 'the file must not name the directory itself');
  renameSync(CONFIG_FILE, 'other.json');
  chownSync('other.json', 0, 0);
  symlinkSync('other.json', CONFIG_FILE);
  assert.equal(loadConfig({}, {}, {}).port, 4_000);
  lchownSync(CONFIG_FILE, nobody, nobody);
  assert.throws(() => loadConfig({}, {}, {}), /belongs to user 65534/);
});
