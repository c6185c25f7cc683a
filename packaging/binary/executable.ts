import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { ROOT } from '../paths.ts';
import { filesIn } from './files.ts';
import { lockedVersion, packageDirectory } from './lockfile.ts';
import { strip } from './strip.ts';
import type { Target } from './targets.ts';

/** Of 95 MB, level 16 leaves 27.1 in 36 s, 12 leaves 28.1 in 6 s, 19 leaves 25.4 in 63 s. The window is the whole. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 16, [constants.ZSTD_c_windowLog]: 27 } };
/** Node.js looks for this text to find out whether something was injected. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface ExecutableOptions {
  target: Target;
  /** The app's directory. */
  app: string;
  /** The Node.js executable of the target, of the version that runs this. */
  node: string;
  output: string;
}

/** The Node.js executable for a target, from the package of the lockfile. */
export async function nodeOf({ name, platform, arch, nodePackage }: Target): Promise<string> {
  if (nodePackage === null) {
    if (name === `${process.platform}-${process.arch}`) return process.execPath;
    throw new Error(`npm has no Node.js for ${name}: build on ${platform} (${arch}), or give --node.`);
  }
  const version = lockedVersion(nodePackage);
  if (`v${version}` !== process.version) {
    throw new Error(`This is Node.js ${process.version}; build with ${version}, which npm ci installs.`);
  }
  return join(await packageDirectory(nodePackage), 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/** Writes Node.js and an app as one executable. The same app gives the same bytes. */
export async function makeExecutable({ target, app, node, output }: ExecutableOptions): Promise<void> {
  const work = `${output}.work`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    await writeBootScript(work);
    const blob = makeBlob(work, compressed(app, work));
    const executable = join(work, 'executable');
    copyFileSync(node, executable);
    chmodSync(executable, 0o755);
    // An executable that was stripped after the injection prints nothing.
    strip(executable, target);
    inject(executable, blob, target);
    mkdirSync(dirname(output), { recursive: true });
    renameSync(executable, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const BOOT = 'boot.cjs';

/** Node.js runs CommonJS only as the main script of an executable. */
async function writeBootScript(work: string): Promise<void> {
  const entryPoints = ['packaging/binary/boot/main.ts'];
  const outfile = join(work, BOOT);
  await build({ absWorkingDir: ROOT, entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs' });
}

/** Compresses the files of the app as one stream. Returns the files in `work` by the names of the assets. */
function compressed(app: string, work: string): Record<string, string> {
  const files = filesIn(app).map((name) => ({ name, bytes: readFileSync(join(app, name)) }));
  const hash = createHash('sha256');
  for (const { name, bytes } of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  const all = Buffer.concat(files.map(({ bytes }) => bytes));
  writeFileSync(join(work, 'files.zst'), zstdCompressSync(all, COMPRESSION));
  const contents = {
    version: PROGRAM.version,
    hash: hash.digest('hex').slice(0, 16),
    files: files.map(({ name, bytes }) => ({ name, size: bytes.length })),
  };
  writeFileSync(join(work, 'contents.json'), JSON.stringify(contents));
  return { 'contents.json': 'contents.json', files: 'files.zst' };
}

function makeBlob(work: string, assets: Record<string, string>): string {
  const output = 'app.blob';
  const options = {
    // The blob has this path in it: relative, so that it is the same on every machine.
    main: BOOT,
    output,
    assets,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Compiled code belongs to one platform.
    useCodeCache: false,
    execArgv: ['--min-semi-space-size=16'],
    execArgvExtension: 'none',
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(options));
  runNode(['--experimental-sea-config', 'sea.json'], work);
  return join(work, output);
}

function inject(executable: string, blob: string, { platform }: Target): void {
  const isMac = platform === 'darwin';
  if (isMac) execFileSync('codesign', ['--remove-signature', executable]);
  const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js');
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  runNode([postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment]);
  // Without an identity. The release signs again with its own.
  if (isMac) execFileSync('codesign', ['--sign', '-', executable]);
}

/** Its output is part of the error if it fails, and noise otherwise. */
function runNode(args: string[], cwd = ROOT): void {
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}
