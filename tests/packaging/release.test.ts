import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { unzipSync } from 'fflate';
import { unpackTar } from 'modern-tar/fs';
import { parse } from 'yaml';
import { TARGETS, targetOf } from '../../packaging/binary/targets.ts';
import { writeArchive } from '../../packaging/release/archive.ts';
import { changelogSection, versionOfTag } from '../../packaging/release/changelog.ts';
import { packageManifests } from '../../packaging/release/fill.ts';
import { archiveName } from '../../packaging/release/names.ts';
import { temporaryDirectory } from '../support/app.ts';
import { ROOT } from './support.ts';

test('writeArchive: packs the same files into the same bytes, with their modes', async (t) => {
  const place = temporaryDirectory(t);
  const files = [
    { name: 'one-1.0.0/program', source: join(place, 'program'), isExecutable: true },
    { name: 'one-1.0.0/LICENSE', source: join(place, 'licence') },
  ];
  for (const { source } of files) writeFileSync(source, source.repeat(100));
  for (const name of ['a.tar.gz', 'a.zip']) await writeArchive(join(place, name), files);
  const { TZ } = process.env;
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'Pacific/Auckland';
  for (const { source } of files) writeFileSync(source, source.repeat(100));
  for (const name of ['b.tar.gz', 'b.zip']) await writeArchive(join(place, name), files);
  const read = (name: string) => readFileSync(join(place, name));
  assert.ok(read('a.tar.gz').equals(read('b.tar.gz')));
  assert.ok(read('a.zip').equals(read('b.zip')));

  const unpacked = join(place, 'unpacked');
  await pipeline([read('a.tar.gz')], createGunzip(), unpackTar(unpacked));
  const modes = files.map(({ name }) => statSync(join(unpacked, name)).mode & 0o777);
  if (process.platform !== 'win32') assert.deepEqual(modes, [0o755, 0o644]);
  const zipped = unzipSync(read('a.zip'));
  for (const { name, source } of files) {
    assert.equal(readFileSync(join(unpacked, name), 'utf8'), source.repeat(100));
    assert.equal(Buffer.from(zipped[name]!).toString(), source.repeat(100));
  }
});

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2027-01-31)\n\n- One.\n- Two.\n\n## 1.1.0 (unreleased)\n\n- Old.\n';

test('changelogSection: has what is new in the version', () => {
  assert.equal(changelogSection(CHANGELOG, '1.2.0'), '- One.\n- Two.\n');
  assert.throws(() => changelogSection(CHANGELOG, '1.2'), /no section "## 1\.2"/);
  assert.throws(() => changelogSection(CHANGELOG, '1.1.0'), /1\.1\.0 is unreleased/);
  assert.throws(() => changelogSection('## 1.0.0\n\n## 0.9.0\n- Old.\n', '1.0.0'), /section of 1\.0\.0 .* is empty/);
});

test('versionOfTag: every place has the version of the tag', () => {
  assert.equal(versionOfTag('v1.2.0', { 'package.json': '1.2.0', 'server.json': '1.2.0' }), '1.2.0');
  assert.equal(versionOfTag('v1.2.0-rc.1', {}), '1.2.0-rc.1');
  assert.throws(
    () => versionOfTag('v1.2.0', { 'package.json': '1.2.0', 'server.json': '1.1.0' }),
    /^Error: The tag is v1\.2\.0, but server\.json has 1\.1\.0\.$/,
  );
  for (const tag of ['1.2.0', 'v1.2', '', 'v1.2.0;x']) assert.throws(() => versionOfTag(tag, {}), /is not a version/);
});

test('release notes: a wrong tag ends the release with one line', () => {
  const notes = join(ROOT, 'packaging/release/notes.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [notes, 'v99.0.0'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^The tag is v99\.0\.0, but package\.json has .*\.\n$/);
});

const hashOf = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0').slice(-64);
const CHECKSUMS = TARGETS.map((target) => archiveName(target, '1.2.0'))
  .map((name) => `${hashOf(name)}  ${name}\n`)
  .join('');
const RELEASE = { version: '1.2.0', repository: 'acme/agent-runtime', checksums: CHECKSUMS };

test('package managers: the Homebrew formula has an address and a hash for each Mac', () => {
  const formula = packageManifests(RELEASE).get('homebrew/agent-runtime.rb')!;
  for (const name of ['darwin-arm64', 'darwin-x64']) {
    const archive = archiveName(targetOf(name), '1.2.0');
    const address = `https://github.com/acme/agent-runtime/releases/download/v1.2.0/${archive}`;
    assert.ok(formula.includes(`    url "${address}"\n    sha256 "${hashOf(archive)}"\n`), name);
  }
  assert.match(formula, /service do\n {4}run \[opt_bin\/"agent-runtime", "serve"\]/);
  assert.doesNotMatch(formula, /\{\{|OWNER/);
});

test('package managers: the winget manifests agree, and name the executable in the zip', () => {
  const manifests = [...packageManifests(RELEASE)].filter(([name]) => name.startsWith('winget/'));
  const [version, installer, locale] = manifests.map(([, text]) => parse(text) as Record<string, unknown>);
  for (const one of [version!, installer!, locale!]) {
    assert.deepEqual([one.PackageIdentifier, one.PackageVersion], ['acme.AgentRuntime', '1.2.0']);
  }
  assert.deepEqual(
    manifests.map(([name]) => name),
    ['', '.installer', '.locale.en-US'].map((kind) => `winget/acme.AgentRuntime${kind}.yaml`),
  );
  const archive = archiveName(targetOf('win32-x64'), '1.2.0');
  assert.deepEqual(installer!.Installers, [
    {
      Architecture: 'x64',
      InstallerUrl: `https://github.com/acme/agent-runtime/releases/download/v1.2.0/${archive}`,
      InstallerSha256: hashOf(archive),
    },
  ]);
  assert.deepEqual(installer!.NestedInstallerFiles, [
    {
      RelativeFilePath: `${archive.replace('.zip', '')}\\agent-runtime.exe`,
      PortableCommandAlias: 'agent-runtime',
    },
  ]);
});

test('package managers: an archive without a checksum is an error', () => {
  const checksums = CHECKSUMS.replace(/.*darwin-x64.*\n/, '');
  assert.throws(() => packageManifests({ ...RELEASE, checksums }), /There is no sha256 darwin-x64/);
});

test('package managers: reads the file that sha256sum writes', (t) => {
  const place = temporaryDirectory(t);
  const release = join(place, 'release');
  mkdirSync(release);
  for (const target of TARGETS) writeFileSync(join(release, archiveName(target, '1.2.0')), target.name);
  const checksums = execFileSync('sh', ['-c', 'sha256sum -- *'], { cwd: release, encoding: 'utf8' });
  const formula = packageManifests({ ...RELEASE, checksums }).get('homebrew/agent-runtime.rb')!;
  assert.match(formula, /sha256 "[0-9a-f]{64}"/);
});
