import type { Role } from '../roles.ts';

/** A person of a tenant as kept. Times are epoch milliseconds. */
export interface StoredUser {
  id: string;
  tenantId: string;
  email: string;
  name: string;
  phone: string | null;
  avatarUrl: string | null;
  role: Role;
  isActive: boolean;
  /** Null: no password was set, so there is no logging in. */
  passwordHash: string | null;
  /** Sessions from before are void. */
  passwordChangedAt: number | null;
  lastLoginAt: number | null;
  /** What an identity provider left here: `idp_user_id`, `idp_created`, `invite_sent`. */
  metadata: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

/** The people of the tenants. E-mails are unique within a tenant, whatever their case. */
export interface UserStore {
  /** Makes the user, or gives the one with this e-mail the new password. */
  put(user: StoredUser): Promise<void>;
  /** Whatever its tenant: whoever asks compares it. */
  find(id: string): Promise<StoredUser | null>;
  /** Everyone with this e-mail, in any case; of one tenant, or of any when null. At most ten. */
  findByEmail(email: string, tenantId: string | null): Promise<StoredUser[]>;
  recordLogin(id: string, at: number): Promise<void>;
}
