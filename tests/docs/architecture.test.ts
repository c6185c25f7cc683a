import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { MAY_IMPORT } from '../support/layers.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

const GROUPS = ['base', 'limits', 'access', 'analytics', 'agents', 'watch'].map((group) => `core/${group}`);
const STORES = ['events', 'knowledge', 'state', 'uploads'].map((kind) => `storage/${kind}`);
/** Folders whose own folders the tree shows. */
const SHOWN_IN_PART = ['core', ...GROUPS, 'commands', 'http', 'providers', 'storage', ...STORES, 'workers'];

test('architecture.md: the tree is that of src', () => {
  const tree = /```\n(bin\/[\s\S]*?)```/.exec(PAGE)?.[1] ?? assert.fail('no tree');
  const shown = treePaths(tree).filter((path) => path.startsWith('src/') && path !== 'src/');
  const rooms = ['', ...SHOWN_IN_PART].flatMap((folder) =>
    readdirSync(join(ROOT, 'src', folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || folder === '')
      .map((entry) => join('src', folder, entry.name) + (entry.isDirectory() ? '/' : '')),
  );
  assert.deepEqual(shown.sort(), rooms.sort());
  for (const path of treePaths(tree)) assert.ok(existsSync(join(ROOT, path)), path);
});

test('architecture.md: the table of layers is what imports are held to', () => {
  const rows = [...PAGE.matchAll(/^\| `([\w.]+)` \| (.*) \|$/gm)].map(([, layer, may]) => [
    layer!,
    [...may!.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!),
  ]);
  assert.deepEqual(Object.fromEntries(rows), MAY_IMPORT);
});

test('architecture.md: every stop of the six ways exists', () => {
  const stops = [...PAGE.matchAll(/^\d+\. `([\w/.-]+)` `(\w+)`: /gm)];
  assert.equal(stops.length, [...PAGE.matchAll(/^\d+\. /gm)].length, 'a stop is `file` `name`: what it does');
  assert.equal([...PAGE.matchAll(/^### /gm)].length, 6);
  for (const [, file, name] of stops) {
    const path = join(ROOT, 'src', file!);
    assert.ok(existsSync(path), `there is no ${file}`);
    assert.match(readFileSync(path, 'utf8'), new RegExp(`\\b${name}\\b`), `${file} has no ${name}`);
  }
});

/** The paths of an indented tree, two spaces a level; `clients/typescript/` on one line is one path. */
function treePaths(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent, name] = /^( *)(\S+)/.exec(line)!;
      const depth = indent!.length / 2;
      parents.length = depth;
      const path = `${parents.join('')}${name}`;
      parents[depth] = name!;
      return path;
    });
}
