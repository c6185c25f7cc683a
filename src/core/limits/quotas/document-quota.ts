import type { Caller } from '../../base/shared/caller.ts';
import type { RuntimeError } from '../../base/shared/errors.ts';
import { quotaExceeded } from './kinds.ts';
import type { QuotaNotices } from './notices.ts';
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

/** Counts stored and waiting documents. */
export class DocumentQuota {
  private readonly parts: DocumentQuotaParts;

  constructor(parts: DocumentQuotaParts) {
    this.parts = parts;
  }

  async limit(tenantId: string): Promise<number | null> {
    return (await this.parts.settings.ofTenant(tenantId)).tenant.documents ?? null;
  }

  note(caller: Caller, { limit, stored }: StoredDocuments): void {
    this.parts.notices.note({ ...stateOf(caller, limit), used: stored });
  }

  /** `wanted`: bytes of the file, 0 when unknown. */
  refusal(caller: Caller, { limit, stored, wanted }: StoredDocuments & { wanted: number }): RuntimeError {
    this.parts.notices.note({ ...stateOf(caller, limit), used: stored, refusedAt: stored });
    const remedy = 'Nothing was stored. Delete documents, or have the operator raise the quota.';
    return quotaExceeded({ quota: 'documents', keyId: null, limit, taken: stored, wanted, remedy });
  }
}

function stateOf({ tenantId, timezone }: Caller, limit: number) {
  return { tenantId, timezone, keyId: null, quota: 'documents', limit } as const;
}
