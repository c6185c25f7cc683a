import { z } from 'zod';
import { SCOPES, type Scope } from '../caller.ts';
import { agentIdSchema } from '../events/schema.ts';

export const scopeSchema = z.enum([...SCOPES, '*'], `must be one of *, ${SCOPES.join(', ')}`);

const nounName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

export const createTenantSchema = z.strictObject({ name: nounName });
export const retentionSchema = z
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(36_500, 'must be at most 36500 days')
  .nullable();
export const createAgentSchema = z.strictObject({ name: agentIdSchema });

export const createKeySchema = z.strictObject({
  agentId: agentIdSchema.nullable().default(null),
  label: nounName,
  scopes: z.array(scopeSchema).min(1, 'needs at least one scope'),
  /** Epoch milliseconds; null: never. */
  expiresAt: z.int().nullable().default(null),
});
export type CreateKey = z.input<typeof createKeySchema>;

export interface Tenant {
  id: string;
  name: string;
  timezone: string;
  createdAt: number;
  /** For how many days events are kept; null: for ever. */
  retentionDays: number | null;
}

export interface Agent {
  tenantId: string;
  name: string;
  createdAt: number;
  /** The user who first used it, themselves or by a key that they made; null where nobody is known. */
  createdBy: string | null;
}

/** A key as it is kept: its secret is known only as a SHA-256 hash. Times are epoch milliseconds. */
export interface ApiKey {
  id: string;
  tenantId: string;
  agentId: string | null;
  label: string;
  scopes: (Scope | '*')[];
  secretHash: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** The user who made it; null: the operator. */
  createdBy: string | null;
}

/** What creating or rotating a key answers: the only time that the key itself is shown. */
export interface IssuedKey {
  id: string;
  key: string;
  tenantId: string;
  agentId: string | null;
  label: string;
  scopes: (Scope | '*')[];
  expiresAt: string | null;
}
