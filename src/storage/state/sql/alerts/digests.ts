import type { Selectable } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { DigestStore, StoredDigest } from '../../../../core/watch/digests/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';
import { ScheduledStore } from './scheduled-store.ts';

type DigestRow = Selectable<StateTables['digests']>;

export class SqlDigestStore extends ScheduledStore<StoredDigest, 'digests'> implements DigestStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'digests', toRow: toDigestRow, toItem: toDigest });
  }

  list(tenantId: string, page: Parameters<DigestStore['list']>[1]): Promise<Page<StoredDigest>> {
    return this.page(tenantId, page);
  }

  settle(
    digest: Parameters<DigestStore['settle']>[0],
    { at, lastSent, nextDue, deliveries }: Parameters<DigestStore['settle']>[1],
  ): Promise<boolean> {
    const changes = {
      last_sent: lastSent && JSON.stringify(lastSent),
      checked_at: at,
      next_due: nextDue,
    };
    return this.settleWith(digest, { at, changes, deliveries });
  }
}

function toDigestRow({ definition, sealedTargets, lastSent, maker, ...digest }: StoredDigest): DigestRow {
  return {
    ...toRow(digest),
    definition: JSON.stringify(definition),
    targets: sealedTargets,
    last_sent: lastSent && JSON.stringify(lastSent),
    checked_at: lastSent?.at ?? null,
    maker: maker ?? null,
  };
}

function toDigest({ definition, targets, last_sent: lastSent, maker, ...row }: DigestRow): StoredDigest {
  const { checked_at: _, ...rest } = row;
  return {
    ...fromRow(rest),
    definition: JSON.parse(definition),
    sealedTargets: targets,
    lastSent: lastSent === null ? null : JSON.parse(lastSent),
    ...(maker !== null && { maker }),
  };
}
