import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type App, FILES, makeApp } from '../../../packaging/binary/app.ts';
import { filesIn, sizeOf } from '../../../packaging/binary/files.ts';
import { NAMED } from '../../../packaging/binary/plugins.ts';
import { targetOf } from '../../../packaging/binary/targets.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { runProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { inEmptyEnvironment } from '../smoke/smoke.ts';
import { ROOT } from '../support.ts';

function make(t: TestContext): Promise<App> {
  return makeApp(targetOf(), join(temporaryDirectory(t), 'app'));
}

test('Bundle: complete, small, and with the names that Node.js finds', async (t) => {
  const { directory, bundled } = await make(t);

  await t.test('Bundle: starts in an empty environment', async (t) => {
    const program = inEmptyEnvironment(t, process.execPath, join(directory, 'bin/agent-runtime.js'));
    const { code, stdout } = await runProgram(t, ['providers', 'example'], { program });
    assert.deepEqual([code, typeof JSON.parse(stdout)], [0, 'object']);
  });

  await t.test('Bundle: threads start from the places that the sources have', () => {
    const entries = filesIn(join(ROOT, 'src')).filter((file) => /entry\.ts$/.test(file));
    assert.ok(entries.length >= 5, entries.join(' '));
    for (const entry of entries) assert.ok(existsSync(join(directory, 'dist', entry.replace(/\.ts$/, '.js'))), entry);
  });

  await t.test('Bundle: packages that are loaded on use have all their names', async () => {
    const outputs = Object.entries(bundled.outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith(NAMED));
    assert.ok(outputs.length >= 5);
    for (const [path, { entryPoint }] of outputs) {
      const name = entryPoint!.slice(NAMED.length + 1);
      if (isOfPackage(name))
        assert.deepEqual(typesIn(await import(join(ROOT, path))), typesIn(await import(name)), name);
    }
  });

  await t.test('Bundle: at most 110 MB, without maps, declarations and absolute paths', () => {
    const files = filesIn(directory);
    assert.deepEqual(
      files.filter((file) => /\.(map|ts)$/.test(file)),
      [],
    );
    assert.ok(sizeOf(directory) <= 110e6, `${sizeOf(directory)} bytes`);
    const own = files.filter((file) => file.startsWith('dist/'));
    for (const file of own) assert.ok(!readFileSync(join(directory, file), 'utf8').includes(ROOT), file);
  });

  await t.test('Bundle: SBOM and licences name every package, and what is compiled in', () => {
    const { components } = JSON.parse(readFileSync(join(directory, FILES.sbom), 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const notices = readFileSync(join(directory, FILES.notices), 'utf8');
    const named = new Set(components.map(({ name }) => name));
    for (const name of ['zod', 'express', 'openai', 'better-sqlite3', 'duckdb', 'sqlite', 'pdfium']) {
      assert.ok(named.has(name), name);
    }
    for (const { name, version } of components) assert.ok(notices.includes(`\n${name} ${version} (`), name);
    const inside = filesIn(join(directory, 'node_modules')).filter((file) => file.endsWith('/package.json'));
    const kept = inside.flatMap((file) => JSON.parse(readFileSync(join(directory, 'node_modules', file), 'utf8')).name);
    for (const name of kept.filter(Boolean)) assert.ok(named.has(name), name);
  });
});

rareTest('Bundle: two builds are equal, byte for byte', async (t) => {
  const [one, other] = [await make(t), await make(t)];
  assert.deepEqual(hashes(one.directory), hashes(other.directory));
});

/** What packages import among themselves may be another build of the same package. */
function isOfPackage(name: string): boolean {
  return existsSync(join(ROOT, 'node_modules', name, 'package.json'));
}

function typesIn(module: Record<string, unknown>): Record<string, string> {
  const names = Object.keys(module).filter((name) => !['default', 'module.exports'].includes(name));
  return Object.fromEntries(names.sort().map((name) => [name, typeof module[name]]));
}

function hashes(directory: string): string[] {
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex');
  return filesIn(directory).map((file) => `${relative('.', file)} ${hashOf(file)}`);
}
