import type { Clickhouse } from '../client.ts';
import { isRefusal } from '../faults.ts';
import type { Tables } from '../schema.ts';
import { Sightings } from './known.ts';
import type { Refused } from './quarantine.ts';
import { Shredder } from './shred.ts';
import type { SpooledBatch, SpooledEvent } from './spool.ts';
import type { FlushTenants } from './tenants.ts';

interface Single extends SpooledEvent {
  batch: SpooledBatch;
}

/** Finds the events that the engine refuses by bisection, in a table that keeps nothing. */
export async function findRefused(
  batches: SpooledBatch[],
  tenants: FlushTenants,
  engine: { clickhouse: Clickhouse; tables: Tables },
): Promise<Refused[]> {
  const singles = batches.flatMap((batch) => batch.events.map((event) => ({ ...event, batch })));
  const refused: Refused[] = [];
  const search = async (some: Single[]): Promise<void> => {
    const error = await refusal(some, tenants, engine);
    if (error === null || some.length === 0) return;
    if (some.length === 1) {
      const { batch, index, event } = some[0]!;
      refused.push({ batch, index, content: event, error });
      return;
    }
    const middle = Math.ceil(some.length / 2);
    await search(some.slice(0, middle));
    await search(some.slice(middle));
  };
  await search(singles);
  return refused;
}

/** Null if the engine accepts the events. */
async function refusal(
  singles: Single[],
  tenants: FlushTenants,
  { clickhouse, tables }: { clickhouse: Clickhouse; tables: Tables },
): Promise<unknown> {
  const shredder = new Shredder();
  const sightings = new Sightings();
  for (const { batch, event } of singles) shredder.add(tenants.find(batch.tenantId), batch.position, event, sightings);
  try {
    await clickhouse.insert(`${tables.trial} (${shredder.columnNames.join(', ')})`, shredder.block(0, ''), null);
    return null;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
