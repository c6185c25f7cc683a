import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Encryption } from '../../src/backup/encryption.ts';
import { compact, inspect } from '../../src/backup/inspect.ts';
import { pack } from '../../src/backup/pack.ts';
import { fileTarget } from '../../src/backup/places.ts';
import { seal } from '../../src/backup/sealing.ts';
import type { Effects } from '../../src/core/base/shared/effects.ts';
import { SECRET_FILE } from '../../src/storage/installation/names.ts';
import { type TestApp, temporaryDirectory, testApp } from './app.ts';

export interface Secret {
  content: string;
  passphrase: string;
}

/** Of the installation that `packApp` works for. */
export const BACKUP_KEY = new Uint8Array(32).fill(7);

/** Packs what an app holds, into a file by default, as the command does. */
export async function packApp(
  t: TestContext,
  { runtime }: TestApp,
  secret?: Secret,
  encryption?: Encryption,
  target = fileTarget(join(temporaryDirectory(t), 'a.backup')),
): Promise<string> {
  const { directory, createdAt } = await runtime.stageBackup();
  const sealedSecrets = new Map(secret ? [[SECRET_FILE, seal(Buffer.from(secret.content), secret.passphrase)]] : []);
  const keys = { installation: BACKUP_KEY, passphrase: secret?.passphrase };
  compact(directory);
  const inspected = await inspect(directory);
  await pack({ directory, target, createdAt, inspected, sealedSecrets, keys, encryption, onProgress: () => undefined });
  // As the end of the command's turn does.
  rmSync(directory, { recursive: true });
  return target.name;
}

/** Opens a data directory as the next start does, for a look. */
export async function whileOpen<Result>(
  dataDir: string,
  look: (app: TestApp) => Promise<Result>,
  effects?: Effects,
): Promise<Result> {
  mkdirSync(dataDir, { recursive: true });
  const cleanups: (() => Promise<void>)[] = [];
  const scope = { after: (cleanup: () => Promise<void>) => cleanups.push(cleanup) } as unknown as TestContext;
  const app = await testApp(scope, { dataDir }, effects);
  try {
    return await look(app);
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
