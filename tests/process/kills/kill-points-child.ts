import { mkdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../src/storage/events/duckdb/store.ts';
import { type Batch, eventsOf, type Line, OPTIONS } from './kill-points-load.ts';

/*
 * A store under load that kills its own process when a stage is reached for the n-th time. What was sent and what was
 * acknowledged is on standard output by then.
 */

const [directory = '', stage, nth, life = ''] = process.argv.slice(2) as [string, Stage, string, string];
const CLIENTS = 3;

const say = (line: Line) => writeSync(1, `${JSON.stringify(line)}\n`);

let reached = 0;
const store = await DuckdbEventStore.open(
  { directory, ...OPTIONS },
  {
    onFault: (error) => say({ fault: String(error) }),
    onStage: (at) => {
      if (at === stage && ++reached === Number(nth)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
say({ opened: true });

for (let client = 0; client < CLIENTS; client += 1) void send(client);
if (stage.startsWith('erase')) await erase();
if (stage.startsWith('copy')) await copy();
if (stage.startsWith('compact')) await sleep(300).then(() => store.compact());

async function send(client: number): Promise<void> {
  for (let sequence = 0; ; sequence += 1) {
    const marker = `${life}-${client}-${sequence}`;
    const size = 1 + ((sequence * 7 + client) % 40);
    const batch: Batch = { tenantId: `tenant ${sequence % 2}`, marker, size, withIds: (client + sequence) % 2 === 0 };
    await append(batch);
    // Now and then an acknowledged batch comes again, as from a client that lost its own memory.
    if (batch.withIds && sequence % 5 === 0) await append(batch);
    await sleep(4);
  }
}

async function append(batch: Batch): Promise<string> {
  say({ sent: batch });
  const { duplicates, receipt } = await store.append(batch.tenantId, eventsOf(batch));
  say({ acknowledged: batch.marker, duplicates });
  return receipt;
}

/** A thread of its own each time, so that what must be gone is known. */
async function erase(): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const marker = `${life}-thread-${turn}`;
    await store.waitFor(await append({ tenantId: 'tenant 0', marker, size: 20, withIds: true }), 5_000);
    say({ erasing: marker });
    await store.erase('tenant 0', { threadId: marker });
    say({ erased: marker });
  }
}

async function copy(): Promise<void> {
  await sleep(300);
  const to = join(directory, `copy ${life}`);
  mkdirSync(to);
  say({ copying: to });
  await store.copyTo(to);
}
