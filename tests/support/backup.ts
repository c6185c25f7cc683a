import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { compact } from '../../src/backup/compact.ts';
import { inspect } from '../../src/backup/inspect.ts';
import { pack } from '../../src/backup/pack.ts';
import { seal } from '../../src/backup/sealing.ts';
import type { Effects } from '../../src/core/effects.ts';
import { type TestApp, temporaryDirectory, testApp } from './app.ts';

export interface Secret {
  content: string;
  passphrase: string;
}

/** Packs what an app holds into a file, as the command does. */
export async function packApp(t: TestContext, { runtime }: TestApp, secret?: Secret): Promise<string> {
  const file = join(temporaryDirectory(t), 'a.backup');
  const { directory, createdAt } = await runtime.stageBackup();
  const sealed = secret ? [['secret.key', seal(Buffer.from(secret.content), secret.passphrase)] as const] : [];
  compact(directory);
  const inspected = await inspect(directory);
  await pack({ directory, file, createdAt, inspected, sealedSecrets: new Map(sealed), onProgress: () => undefined });
  return file;
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
