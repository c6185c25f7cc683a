import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { targetOf } from '../../packaging/binary/targets.ts';
import { architectureOf, control } from '../../packaging/deb/control.ts';
import { makeDeb } from '../../packaging/deb/package.ts';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { inEmptyEnvironment, smoke } from './smoke/smoke.ts';
import { ROOT } from './support.ts';

const read = (name: string) => readFileSync(join(ROOT, 'packaging', name), 'utf8');

test('Debian package: control names the version, the processor and glibc', () => {
  const text = control(architectureOf(targetOf('linux-arm64')), 4_097);
  assert.match(text, new RegExp(`^Version: ${PROGRAM.version}$`, 'm'));
  assert.match(text, /^Architecture: arm64$/m);
  assert.match(text, /^Installed-Size: 5$/m);
  assert.match(text, /^Depends: libc6 \(>= 2\.34\)/m);
  assert.match(text, /\n$/);
  assert.throws(() => architectureOf(targetOf('darwin-arm64')), /no Debian package for darwin-arm64/);
});

test('Debian package: its scripts are valid, and none deletes data', () => {
  for (const name of ['postinst', 'prerm', 'postrm', 'agent-runtime.sh']) {
    const { status, stderr } = spawnSync('sh', ['-n', join(ROOT, 'packaging/deb', name)], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(read(`deb/${name}`), /rm .*\/var\/lib/);
  }
});

test('Debian package: its program says by which path it was started', () => {
  assert.match(read('deb/agent-runtime.sh'), /^AGENT_RUNTIME_INVOCATION=\/usr\/bin\/agent-runtime\nexport /m);
  assert.match(read('systemd/agent-runtime.service'), /^ExecStart=\/usr\/bin\/agent-runtime serve$/m);
});

const isLinux = { skip: process.platform !== 'linux' };

rareTest('Debian package: unpacks to a program that runs without environment', isLinux, async (t) => {
  const place = temporaryDirectory(t);
  const [one, two] = [join(place, 'one.deb'), join(place, 'two.deb')];
  await makeDeb(targetOf(), one);
  await makeDeb(targetOf(), two);
  assert.ok(readFileSync(one).equals(readFileSync(two)), 'the same sources give the same bytes');

  const listed = execFileSync('dpkg-deb', ['--contents', one], { encoding: 'utf8' });
  for (const line of listed.trim().split('\n')) assert.match(line, /^[-d]\S+ root\/root /);
  assert.match(listed, /^-rw------- .* \.\/etc\/agent-runtime\/environment$/m);
  assert.match(listed, /^-rwxr-xr-x .* \.\/usr\/bin\/agent-runtime$/m);
  assert.match(listed, /\.\/usr\/share\/doc\/agent-runtime\/copyright$/m);

  const root = join(place, 'root');
  execFileSync('dpkg-deb', ['--extract', one, root]);
  const library = join(root, 'usr/lib/agent-runtime');
  await smoke(t, inEmptyEnvironment(t, join(library, 'bin/node'), join(library, 'app/bin/agent-runtime.js')));
});
