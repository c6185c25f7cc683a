import type { Selectable } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { DigestStore, StoredDigest } from '../../../../core/watch/digests/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { ScheduledStore } from './scheduled-store.ts';

type DigestRow = Selectable<StateTables['digests']>;

export class SqlDigestStore extends ScheduledStore<StoredDigest, 'digests'> implements DigestStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'digests', toRow, toItem: toDigest });
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

function toRow(digest: StoredDigest): DigestRow {
  return {
    id: digest.id,
    tenant_id: digest.tenantId,
    agent_id: digest.agentId,
    definition: JSON.stringify(digest.definition),
    targets: digest.sealedTargets,
    revision: digest.revision,
    last_sent: digest.lastSent && JSON.stringify(digest.lastSent),
    checked_at: digest.lastSent?.at ?? null,
    next_due: digest.nextDue,
    created_at: digest.createdAt,
    updated_at: digest.updatedAt,
    created_by: digest.createdBy,
    maker: digest.maker ?? null,
  };
}

function toDigest(row: DigestRow): StoredDigest {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    definition: JSON.parse(row.definition),
    sealedTargets: row.targets,
    revision: row.revision,
    lastSent: row.last_sent === null ? null : JSON.parse(row.last_sent),
    nextDue: row.next_due,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    ...(row.maker !== null && { maker: row.maker }),
  };
}
