import type { Selectable } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { DigestSettlement, DigestStore, StoredDigest } from '../../../../core/watch/digests/store.ts';
import type { ScheduledQuery } from '../../../../core/watch/schedules/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { SqlScheduledStore } from './scheduled-store.ts';

export class SqlDigestStore extends SqlScheduledStore<StoredDigest, 'digests'> implements DigestStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'digests',
      toState: ({ lastSent }) => stateOf(lastSent, lastSent?.at ?? null),
      ofState: ({ last_sent: last }: Selectable<StateTables['digests']>) => ({
        lastSent: last === null ? null : JSON.parse(last),
      }),
    });
  }

  list(tenantId: string, query: ScheduledQuery): Promise<Page<StoredDigest>> {
    return this.page(tenantId, query);
  }

  settle(
    digest: Pick<StoredDigest, 'id' | 'tenantId' | 'revision'>,
    { at, lastSent, nextDue, deliveries }: DigestSettlement,
  ): Promise<boolean> {
    return this.settleWith(digest, { at, state: stateOf(lastSent, at), nextDue, deliveries });
  }
}

function stateOf(lastSent: StoredDigest['lastSent'], checkedAt: number | null) {
  return { last_sent: lastSent && JSON.stringify(lastSent), checked_at: checkedAt };
}
