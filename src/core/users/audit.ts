import type { Actor, AuditEntry } from '../audit.ts';
import type { Caller } from '../caller.ts';

/** Where it is written down who changed which user. */
export interface UserAudit {
  record(entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void>;
}

export const NO_AUDIT: UserAudit = { record: async () => undefined };

/** Who acts; null is the operator at the command line. */
export function actorOf(by: Caller | null): Actor {
  return by === null
    ? { kind: 'operator', id: null, label: 'operator' }
    : { kind: by.credential.kind, id: by.credential.id, label: by.label };
}
