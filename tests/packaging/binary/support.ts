import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Contents } from '../../../packaging/binary/boot/unpack.ts';

/** What a small executable would hold. */
export function contents(version = '1.2.3', files: Record<string, string> = FILES): Contents {
  return {
    version,
    hash: '0123456789abcdef',
    files: Object.entries(files).map(([name, text]) => ({ name, size: Buffer.byteLength(text) })),
    decompress: () => Buffer.from(Object.values(files).join('')),
  };
}

const FILES = { 'bin/program.js': 'start()', 'dist/chunks/a.js': 'export {}', 'node_modules/n/native.node': 'ELF' };

/** A tmpfs with these options, unmounted after the test; null where this user may not mount. */
export function mountedDisk(t: TestContext, options: string): { path: string; remount(options: string): void } | null {
  const path = mkdtempSync(join(tmpdir(), 'agent-runtime-test-disk-'));
  const mount = (...args: string[]) => execFileSync('mount', [...args, path], { stdio: 'pipe' });
  try {
    mount('-t', 'tmpfs', '-o', `${options},mode=0700`, 'tmpfs');
  } catch {
    rmdirSync(path);
    return null;
  }
  t.after(() => {
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  });
  return { path, remount: (changed) => mount('-o', `remount,${changed}`) };
}
