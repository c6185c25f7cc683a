import type { StoredEvent } from '../../../core/analytics/events/store.ts';
import type { ColumnSlots } from './columns.ts';
import type { EventShredder } from './shred.ts';
import type { KnownTenants } from './tenants.ts';

interface Batch {
  tenantId: string;
  position: number;
  unreadable?: string;
}

/** An event and its batch. */
export interface Single<From extends Batch> {
  batch: From;
  /** Its place in the batch. */
  index: number;
  event: StoredEvent;
}

export interface Refused<From extends Batch> {
  batch: From;
  /** Its place in the batch; null: the batch is not JSON. */
  index: number | null;
  /** The event, or the text of a batch that is not JSON. */
  content: unknown;
  error: unknown;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function unreadableOf<From extends Batch>(batches: From[]): Refused<From>[] {
  return batches.flatMap((batch) =>
    batch.unreadable === undefined
      ? []
      : [{ batch, index: null, content: batch.unreadable, error: new Error('The batch is not JSON.') }],
  );
}

/** Returns the events that cannot be taken apart. */
export function shredAll<From extends Batch, Columns extends ColumnSlots<string>>(
  singles: Single<From>[],
  tenants: Pick<KnownTenants<Columns>, 'tenant'>,
  shredder: EventShredder<Columns>,
): Refused<From>[] {
  const refused: Refused<From>[] = [];
  for (const { batch, index, event } of singles) {
    const tenant = tenants.tenant(batch.tenantId);
    try {
      shredder.add(tenant, batch.position, event);
    } catch (error) {
      refused.push({ batch, index, content: event, error });
    }
  }
  return refused;
}

/**
 * Finds the events that the engine refuses by bisection. `refusal`: its error for some events, null
 * if it accepts them.
 */
export async function findRefused<From extends Batch>(
  singles: Single<From>[],
  refusal: (some: Single<From>[]) => Promise<unknown>,
): Promise<Refused<From>[]> {
  const error = singles.length === 0 ? null : await refusal(singles);
  if (error === null) return [];
  if (singles.length === 1) {
    const { batch, index, event } = singles[0]!;
    return [{ batch, index, content: event, error }];
  }
  const middle = Math.ceil(singles.length / 2);
  const first = await findRefused(singles.slice(0, middle), refusal);
  return [...first, ...(await findRefused(singles.slice(middle), refusal))];
}
