import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openState } from '../../src/app/state.ts';
import { loadConfig } from '../../src/config.ts';
import { merged, newExecution } from '../../src/core/agents/executions/merge.ts';
import { recordExecutionSchema } from '../../src/core/agents/executions/schema.ts';
import type { RecordedChat } from '../../src/core/agents/executions/store.ts';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { SqlExecutionStore } from '../../src/storage/state/sql/executions/store.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { Random } from '../reviews/random.ts';
import { someRequest } from './texts.ts';

const DAY_MS = 86_400_000;
const AT_ONCE = 200;

/** Bytes of the requests as JSON, and of the file that holds them. */
export interface FilledSizes {
  raw: number;
  disk: number;
}

/** A data directory with so many executions over 90 days. One that is there already is used again. */
export async function filledDirectory(
  directory: string,
  count: number,
): Promise<{ dataDir: string; sizes: FilledSizes }> {
  const dataDir = join(directory, `executions-${count}`);
  const whole = join(dataDir, 'whole.json');
  if (!existsSync(whole)) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(whole, JSON.stringify(await fill(dataDir, count)));
  }
  const { default: sizes } = (await import(whole, { with: { type: 'json' } })) as { default: FilledSizes };
  return { dataDir, sizes };
}

async function fill(dataDir: string, count: number): Promise<FilledSizes> {
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  const { id: tenantId } = await state.tenants.get('default');
  await state.close();
  const path = join(dataDir, STATE_FILE);
  const database = await openStateDatabase(path);
  // What is lost by a crash is made anew.
  await sql`PRAGMA synchronous = OFF`.execute(database);
  const store = new SqlExecutionStore(database);
  const random = new Random(7);
  const begin = Date.now() - 90 * DAY_MS;
  let raw = 0;
  for (let first = 0; first < count; first += AT_ONCE) {
    const batch: RecordedChat[] = [];
    for (let number = first; number < Math.min(first + AT_ONCE, count); number++) {
      const at = begin + Math.floor((number / count) * 89 * DAY_MS);
      const sent = someRequest(random, number, at);
      raw += Buffer.byteLength(JSON.stringify(sent));
      const input = recordExecutionSchema.parse(sent);
      const caller = { tenantId, userId: null, agentId: null } as never;
      const execution = await merged(
        newExecution(caller, input as never, { id: sent.id, now: at }),
        input as never,
        at,
      );
      batch.push({ tenantId, execution, isKnown: false });
    }
    await store.recordChats(batch);
    if (first % 50_000 === 0) console.error(`${first} of ${count} executions`);
  }
  // Their events are not what is measured.
  await sql`UPDATE executions SET event = 'sent'`.execute(database);
  for (let indexed = 0; ; ) {
    const some = await store.indexSome();
    if (some === 0) break;
    indexed += some;
    if (indexed % 50_000 < some) console.error(`words of ${indexed} executions`);
  }
  await store.close();
  await database.destroy();
  return { raw, disk: statSync(path).size };
}
