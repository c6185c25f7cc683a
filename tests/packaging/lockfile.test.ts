import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const readRoot = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const lockfile = JSON.parse(readRoot('package-lock.json')) as { packages: Record<string, Locked> };
/** Without workspaces and the links to them. */
const downloaded = Object.entries(lockfile.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

test('package-lock.json: every downloaded package has a SHA-512 hash', () => {
  assert.ok(downloaded.length > 500);
  const without = downloaded.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path);
  assert.deepEqual(without, [], 'npm view NAME@VERSION dist.integrity prints the hash');
});

test("package-lock.json: names no registry, so that each machine's own applies", () => {
  assert.deepEqual(
    downloaded.filter(([, { resolved }]) => resolved).map(([path]) => path),
    [],
  );
});

test('package-lock.json: a checkout has one Node.js version for every platform', () => {
  const { optionalDependencies } = JSON.parse(readRoot('packaging/node/package.json'));
  for (const [name, version] of Object.entries(optionalDependencies)) {
    assert.equal(version, '24.21.0', name);
    assert.equal(lockfile.packages[`node_modules/${name}`]?.version, version);
  }
});

test('.npmrc: npm runs no install scripts, whose downloads no hash covers', () => {
  assert.match(readRoot('.npmrc'), /^ignore-scripts=true$/m);
});
