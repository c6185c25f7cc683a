import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateManifest } from '@anthropic-ai/mcpb';
import { pack } from '../../packaging/mcpb/pack.ts';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { tools } from '../../src/tools/server.ts';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { buildBundle, filesIn, ROOT } from './support.ts';

test('MCP bundle: is valid, small, and only text and an icon', async (t) => {
  const { path, directory, manifest, stdout } = await buildBundle(t);

  await t.test('MCP bundle: the manifest is valid and names the settings to ask for', (t) => {
    t.mock.method(console, 'log', () => undefined);
    assert.equal(validateManifest(join(directory, 'manifest.json')), true);
    assert.equal(manifest.version, PROGRAM.version);
    const { url, api_key: apiKey } = manifest.user_config ?? {};
    assert.deepEqual([url?.required, url?.default], [true, 'http://127.0.0.1:3000']);
    assert.deepEqual([apiKey?.required, apiKey?.sensitive, apiKey?.default], [true, true, undefined]);
  });

  await t.test('MCP bundle: lists the tools, each with a sentence', () => {
    assert.deepEqual(
      manifest.tools?.map((tool) => tool.name),
      tools.map((tool) => tool.name),
    );
    for (const { name, description } of manifest.tools ?? [])
      assert.match(description ?? '', /^[A-Z][^\n]{10,}\.$/, name);
  });

  await t.test('MCP bundle: holds exactly the expected files', () => {
    assert.deepEqual(
      [...filesIn(directory).keys()].sort(),
      ['LICENSE', 'THIRD-PARTY.txt', 'icon.png', 'manifest.json', 'server/index.mjs'].sort(),
    );
  });

  await t.test('MCP bundle: the server needs only Node.js', () => {
    const code = readFileSync(join(directory, 'server/index.mjs'), 'utf8');
    const imported = [...code.matchAll(/\b(?:from|import|import\(|require\()\s*["']([^"']+)["']/g)].map(
      ([, name]) => name!,
    );
    assert.ok(imported.length > 0);
    assert.deepEqual(
      imported.filter((name) => !isBuiltin(name)),
      [],
    );
    assert.doesNotMatch(code, /\.node["'`]|dlopen|\bpino\b|\bajv\b/i);
  });

  await t.test('MCP bundle: contains no path of the build machine and no key', () => {
    for (const [name, content] of filesIn(directory)) {
      const text = content.toString('latin1');
      assert.ok(!text.includes(ROOT.replace(/\/$/, '')), name);
      assert.doesNotMatch(text, /file:\/\/\/|\/(?:home|Users|root)\/\w|agent-runtime-mcpb-|ar_[0-9A-Za-z]{12}_/, name);
    }
  });

  await t.test('MCP bundle: contains the licences of the bundled code', () => {
    const notices = readFileSync(join(directory, 'THIRD-PARTY.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/client', '@modelcontextprotocol/server', 'zod']) {
      assert.match(notices, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2\\.0)\\)$`, 'm'));
    }
  });

  await t.test('MCP bundle: the build prints its path, size and hash', () => {
    const bundle = readFileSync(path);
    const hash = createHash('sha256').update(bundle).digest('hex');
    assert.ok(stdout.endsWith(`${path}\n${bundle.length} bytes\nSHA-256 ${hash}\n`), stdout);
    assert.ok(bundle.length < 250_000, `${bundle.length} bytes`);
  });
});

rareTest('pack: the same files packed later give the same bytes', async (t) => {
  t.mock.method(console, 'log', () => undefined);
  const { directory } = await buildBundle(t);
  const files = Object.fromEntries(filesIn(directory));
  const hashes = [];
  for (const date of ['2026-01-02T03:04:05Z', '2027-10-11T12:13:14Z']) {
    t.mock.timers.enable({ apis: ['Date'], now: new Date(date) });
    hashes.push((await pack(files, join(temporaryDirectory(t), 'bundle.mcpb'))).sha256);
    t.mock.timers.reset();
  }
  assert.equal(hashes[0], hashes[1]);
});

test('pack: an invalid manifest is refused', async (t) => {
  t.mock.method(console, 'log', () => undefined);
  const output = join(temporaryDirectory(t), 'bundle.mcpb');
  await assert.rejects(
    pack({ 'manifest.json': '{"manifest_version":"0.3","name":"x"}' }, output),
    /manifest is not valid/,
  );
  await assert.rejects(async () => readFileSync(output), /ENOENT/);
});
