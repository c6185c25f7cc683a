import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findContainer } from '../../src/memory/container.ts';
import { temporaryDirectory } from '../support/app.ts';

const MEGABYTE = 1024 * 1024;

interface Place {
  /** Lines of `cgroup`, and of `mountinfo` as the kernel writes them. */
  groups: string[];
  mounts: (place: string) => string[];
  /** Files by their path below the mount. */
  files: Record<string, string>;
}

function find(t: TestContext, { groups, mounts, files }: Place) {
  const directory = temporaryDirectory(t);
  const place = join(directory, 'sys fs');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true });
    writeFileSync(join(place, path), `${content}\n`);
  }
  writeFileSync(join(directory, 'cgroup'), `${groups.join('\n')}\n`);
  writeFileSync(join(directory, 'mountinfo'), `${mounts(place.replaceAll(' ', '\\040')).join('\n')}\n`);
  return findContainer(directory);
}

const ROOT_MOUNT = '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
const second = (root: string) => (place: string) => [ROOT_MOUNT, `31 22 0:27 ${root} ${place} rw - cgroup2 cgroup2 rw`];
const first = (root: string) => (place: string) => [
  ROOT_MOUNT,
  `32 22 0:28 ${root} ${place}/cpu rw - cgroup cgroup rw,cpu`,
  `35 22 0:32 ${root} ${place}/memory rw shared:9 master:2 - cgroup cgroup rw,memory`,
];

test('findContainer: the lowest limit of a group and those above it, of version 2', (t) => {
  const container = find(t, {
    groups: ['0::/user.slice/one.service/inner'],
    mounts: second('/'),
    files: {
      'user.slice/memory.max': String(2_000 * MEGABYTE),
      'user.slice/one.service/memory.max': String(512 * MEGABYTE),
      'user.slice/one.service/memory.current': String(300 * MEGABYTE),
      'user.slice/one.service/memory.stat': `anon 1\nfile ${120 * MEGABYTE}\nshmem ${20 * MEGABYTE}\nfile_mapped 7`,
      'user.slice/one.service/inner/memory.max': 'max',
    },
  });
  assert.equal(container?.limit, 512 * MEGABYTE);
  assert.equal(container.used(), 200 * MEGABYTE);
});

test('findContainer: version 1, whose largest number means no limit', (t) => {
  const files = {
    'memory/docker/memory.limit_in_bytes': '9223372036854771712',
    'memory/docker/abc/memory.limit_in_bytes': String(256 * MEGABYTE),
    'memory/docker/abc/memory.usage_in_bytes': String(200 * MEGABYTE),
    'memory/docker/abc/memory.stat': `cache 5\ntotal_cache ${90 * MEGABYTE}\ntotal_shmem ${10 * MEGABYTE}`,
  };
  const groups = ['5:devices:/docker/abc', '4:cpu,memory:/docker/abc', '0::/'];
  const container = find(t, { groups, mounts: first('/'), files });
  assert.equal(container?.limit, 256 * MEGABYTE);
  assert.equal(container.used(), 120 * MEGABYTE);
});

test('findContainer: in a namespace the mount is the group itself', (t) => {
  const files = { 'memory.max': String(400 * MEGABYTE) };
  assert.equal(find(t, { groups: ['0::/'], mounts: second('/'), files })?.limit, 400 * MEGABYTE);
  assert.equal(find(t, { groups: ['0::/docker/abc'], mounts: second('/docker/abc'), files })?.limit, 400 * MEGABYTE);
  assert.equal(find(t, { groups: ['0::/../other'], mounts: second('/docker/abc'), files })?.limit, 400 * MEGABYTE);
});

test('findContainer: none without a limit, and on systems without such files', (t) => {
  assert.equal(find(t, { groups: ['0::/a'], mounts: second('/'), files: { 'a/memory.max': 'max' } }), null);
  assert.equal(find(t, { groups: ['0::/a'], mounts: () => [ROOT_MOUNT], files: {} }), null);
  assert.equal(findContainer(join(temporaryDirectory(t), 'nothing')), null);
});
