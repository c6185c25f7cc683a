import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { chatApp } from '../support/chat.ts';
import { fencesOf } from '../support/docs.ts';
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

const DECISIONS = resolve(import.meta.dirname, '../../docs/decisions');

test('docs/decisions: the index has one row for each, and numbers are not used twice', () => {
  const index = readFileSync(join(DECISIONS, 'README.md'), 'utf8');
  const listed = [...index.matchAll(/^\| [^|]*\| \[(\d{4})\]\((\S+)\) [^|]+\| [^|]+\|$/gm)];
  const files = readdirSync(DECISIONS).filter((file) => file !== 'README.md');
  assert.deepEqual(listed.map(([, , file]) => file).sort(), files.sort());
  for (const [, number, file] of listed) assert.ok(file!.startsWith(`${number}-`), file);
  assert.equal(new Set(listed.map(([, number]) => number)).size, files.length);
});

const DOCS = resolve(import.meta.dirname, '../../docs');

test('docs: prose is wrapped at 120 characters', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!api\/).*\.md$/.test(file),
  );
  const long = pages.flatMap((file) => {
    const prose = readFileSync(join(DOCS, file), 'utf8').replace(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, '');
    const lines = prose.split('\n').filter((line) => line.length > 120 && !/^\s*(\||#|<|!\[)/.test(line));
    // One word, code span or link that is too long may stand alone.
    return lines
      .filter((line) => /[^`\]] +\S/.test(line.replace(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, '_').trim()))
      .map((line) => `${file}: ${line}`);
  });
  assert.deepEqual(long, []);
});

test('README.md: the example of the client runs as it stands', async (t) => {
  const app = await chatApp(t);
  const { text: example } =
    fencesOf('../README').find(({ language }) => language === 'js') ?? assert.fail('no example');
  const source = example.replace('http://127.0.0.1:3000', app.url).replace('ar_FULL', app.key);
  const program = spawn(process.execPath, ['--input-type=module', '--eval', source], { cwd: ROOT });
  const [said, problems] = await Promise.all([text(program.stdout), text(program.stderr)]);
  assert.deepEqual([said, problems], ['Olá mundo 🌍', '']);
});
