import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILES, makeAppWithNode } from '../binary/app.ts';
import { nodeOf } from '../binary/executable.ts';
import { sizeOf } from '../binary/files.ts';
import { strip } from '../binary/strip.ts';
import type { Target } from '../binary/targets.ts';
import { FIXED_DATE } from '../fixed-date.ts';
import { ROOT } from '../paths.ts';
import { architectureOf, control } from './control.ts';

/** Files of the package, by where they come from. */
const COPIED: Record<string, string> = {
  'packaging/deb/agent-runtime.sh': 'usr/bin/agent-runtime',
  'packaging/systemd/environment': 'etc/agent-runtime/environment',
  'packaging/systemd/agent-runtime.service': 'usr/lib/systemd/system/agent-runtime.service',
  'packaging/deb/postinst': 'DEBIAN/postinst',
  'packaging/deb/prerm': 'DEBIAN/prerm',
  'packaging/deb/postrm': 'DEBIAN/postrm',
};
const LIBRARY = 'usr/lib/agent-runtime';
const PROGRAMS = [`${LIBRARY}/bin/node`, 'usr/bin/agent-runtime', 'DEBIAN/postinst', 'DEBIAN/prerm', 'DEBIAN/postrm'];
/** Only root may read them. */
const SECRETS = ['etc/agent-runtime/environment'];

/** Writes a Debian package: the app, Node.js and a service. The same sources give the same bytes. */
export async function makeDeb(target: Target, output: string): Promise<void> {
  const root = `${output}.root`;
  rmSync(root, { recursive: true, force: true });
  try {
    await layOut(target, root);
    // dpkg reads zstd from Debian 12 and Ubuntu 22.04 on, the oldest that the program runs on.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z12', '--build', root, output], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(FIXED_DATE.getTime() / 1_000) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function layOut(target: Target, root: string): Promise<void> {
  const architecture = architectureOf(target);
  const app = join(root, LIBRARY, 'app');
  await makeAppWithNode(target, app);
  const node = join(root, LIBRARY, 'bin/node');
  cpSync(await nodeOf(target), node);
  strip(node, target);
  for (const [from, to] of Object.entries(COPIED)) cpSync(join(ROOT, from), join(root, to));
  const licences = ['LICENSE', FILES.notices].map((name) => readFileSync(join(app, name), 'utf8'));
  write(join(root, 'usr/share/doc/agent-runtime/copyright'), licences.join('\n'));
  write(join(root, 'DEBIAN/conffiles'), '/etc/agent-runtime/environment\n');
  write(join(root, 'DEBIAN/control'), control(architecture, sizeOf(root)));
  setModes(root);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Whatever the umask and the modes of the sources. */
function setModes(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(root, 0o755);
  for (const program of PROGRAMS) chmodSync(join(root, program), 0o755);
  for (const secret of SECRETS) chmodSync(join(root, secret), 0o600);
}
