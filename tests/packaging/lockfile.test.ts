import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const lockfile = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};
/** Without the workspaces, which are part of the repository, and the links to them. */
const downloaded = Object.entries(lockfile.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

test('package-lock.json: every downloaded package has a SHA-512 hash, which npm ci verifies', () => {
  assert.ok(downloaded.length > 500);
  const without = downloaded.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path);
  assert.deepEqual(without, [], 'npm view NAME@VERSION dist.integrity prints the hash');
});

test('package-lock.json: no registry is named, so each machine asks the one it is configured for', () => {
  assert.deepEqual(
    downloaded.filter(([, { resolved }]) => resolved).map(([path]) => path),
    [],
  );
});
