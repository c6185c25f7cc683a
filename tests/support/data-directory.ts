import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openServer } from '../../src/app/server.ts';
import { loadConfig } from '../../src/config.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { createLog } from '../../src/logging/log.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import { CHEAP_HASHING } from './cheap-hashing.ts';

let template: Promise<Map<string, Buffer>> | undefined;

/** Fills the directory as a first start would: its migrations take longer than most tests. */
export async function fillDataDirectory(directory: string): Promise<void> {
  template ??= filesOfFirstStart();
  for (const [name, content] of await template) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content, { mode: 0o600 });
  }
}

async function filesOfFirstStart(): Promise<Map<string, Buffer>> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-template-'));
  const config = loadConfig({ dataDir: directory, logLevel: 'silent' }, {}, {});
  const effects = { hashing: CHEAP_HASHING, ...realEffects };
  const { close } = await openServer(config, createLog('silent'), effects, (options, observer) =>
    DuckdbEventStore.open(options, observer),
  );
  await close();
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  const contents = new Map(files.map((name) => [name, readFileSync(join(directory, name))]));
  rmSync(directory, { recursive: true });
  return contents;
}
