import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { compactBackup, inspect } from '../../src/backup/inspect.ts';
import { pack } from '../../src/backup/pack.ts';
import { fileTarget } from '../../src/backup/places.ts';
import { encrypterFor, type Sealing, sealed } from '../../src/backup/sealing.ts';
import type { Effects } from '../../src/core/base/shared/effects.ts';
import { type TestApp, temporaryDirectory, testApp } from './app.ts';

/** The key of the installation that `packApp` works for. */
export const BACKUP_KEY = new Uint8Array(32).fill(7);

/** Packs what an app holds into a file, as the command does. */
export async function packApp(
  t: TestContext,
  { runtime }: TestApp,
  sealing: Sealing = { installation: BACKUP_KEY },
  secrets = new Map<string, Buffer>(),
): Promise<string> {
  const { directory, createdAt } = await runtime.stageBackup();
  const target = fileTarget(join(temporaryDirectory(t), 'a.backup'));
  compactBackup(directory);
  const inspected = await inspect(directory);
  await pack({ directory, target, createdAt, inspected, secrets, sealing, onProgress: () => undefined });
  // As the end of the command's turn does.
  rmSync(directory, { recursive: true });
  return target.name;
}

export async function sealedContent(content: Buffer, sealing: Sealing = { installation: BACKUP_KEY }): Promise<Buffer> {
  return buffer(await sealed(Readable.from([content], { objectMode: false }), await encrypterFor(sealing)));
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
