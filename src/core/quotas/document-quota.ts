import type { Caller } from '../shared/caller.ts';
import type { RuntimeError } from '../shared/errors.ts';
import type { QuotaNotices } from './notices.ts';
import { quotaExceeded } from './refusal.ts';
import type { QuotaSettings } from './settings.ts';

/** Bytes. */
interface StoredDocuments {
  limit: number;
  stored: number;
}

export interface DocumentQuotaParts {
  settings: Pick<QuotaSettings, 'ofTenant'>;
  notices: Pick<QuotaNotices, 'note'>;
}

/** The quota of a tenant's documents, in bytes: of files that are stored, and of those that wait to be. */
export class DocumentQuota {
  private readonly parts: DocumentQuotaParts;

  constructor(parts: DocumentQuotaParts) {
    this.parts = parts;
  }

  /** Bytes that the tenant may have; null: any number. */
  async limit(tenantId: string): Promise<number | null> {
    return (await this.parts.settings.ofTenant(tenantId)).tenant.documents ?? null;
  }

  /** A file was taken on. */
  note(caller: Caller, { limit, stored }: StoredDocuments): void {
    this.parts.notices.note({ ...stateOf(caller, limit), used: stored });
  }

  /** What a file is refused with that does not fit. `wanted`: its bytes; 0 where they are not known yet. */
  refusal(caller: Caller, { limit, stored, wanted }: StoredDocuments & { wanted: number }): RuntimeError {
    this.parts.notices.note({ ...stateOf(caller, limit), used: stored, refusedAt: stored });
    const remedy = 'Nothing was stored. Delete documents, or have the operator raise the quota.';
    return quotaExceeded({ quota: 'documents', keyId: null, limit, taken: stored, wanted, remedy });
  }
}

function stateOf({ tenantId, timezone }: Caller, limit: number) {
  return { tenantId, timezone, keyId: null, quota: 'documents', limit } as const;
}
