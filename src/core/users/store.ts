import type { Role } from '../shared/roles.ts';

/** A stored user. Times are epoch milliseconds. */
export interface StoredUser {
  id: string;
  tenantId: string;
  email: string;
  name: string;
  phone: string | null;
  avatarUrl: string | null;
  role: Role;
  isActive: boolean;
  /** Null: no password is set, and the user cannot log in. */
  passwordHash: string | null;
  /**
   * A token must name it to be valid. It increases with every new password and with a deactivation,
   * to the epoch milliseconds of that time or at least by one. Null: neither has happened.
   */
  sessionVersion: number | null;
  lastLoginAt: number | null;
  /** Set by an identity provider. */
  metadata: { idp_user_id?: string | undefined; idp_created?: boolean | undefined; invite_sent?: boolean | undefined };
  createdAt: number;
  updatedAt: number;
}

/** Numbers of items that the user, or a key of the user, created. */
export interface UserCounts {
  agents: number;
  /** API keys, and stored credentials of connectors. */
  credentials: number;
  executions: number;
}

/** An undefined member stays unchanged. */
export type UserChanges = {
  [Member in Changeable]?: StoredUser[Member] | undefined;
};
type Changeable = 'email' | 'name' | 'phone' | 'avatarUrl' | 'role' | 'isActive' | 'passwordHash' | 'sessionVersion';

export interface ChangeOptions {
  updatedAt: number;
  /** Refuses the change unless the tenant has another active administrator. */
  requiresOtherAdministrator: boolean;
}

export interface UsersPage {
  /** Part of the name or the e-mail, ignoring case and accents. */
  search: string;
  /** Null: all. */
  limit: number | null;
  offset: number;
}

/** Portal users. E-mails are unique within a tenant, ignoring case. */
export interface UserStore {
  /** Creates the user, or sets the password of the user with this e-mail. */
  put(user: StoredUser): Promise<void>;
  create(user: StoredUser): Promise<'created' | 'duplicate email' | 'unknown tenant'>;
  /** A user of any tenant: the caller must compare the tenant. */
  find(id: string): Promise<StoredUser | null>;
  /** Users with this e-mail, ignoring case; of one tenant, or of any when null. At most ten. */
  findByEmail(email: string, tenantId: string | null): Promise<StoredUser[]>;
  /** Newest first, of every tenant when null. */
  list(
    tenantId: string | null,
    page: UsersPage,
  ): Promise<{ users: (StoredUser & { counts: UserCounts })[]; total: number }>;
  counts(id: string): Promise<UserCounts>;
  /**
   * Changes a user as `seen`: `stale` when role, activity, password or session version have changed
   * since, null when the user is gone. One statement, so that concurrent changes see each other.
   */
  change(
    seen: StoredUser,
    changes: UserChanges,
    options: ChangeOptions,
  ): Promise<StoredUser | null | 'stale' | 'duplicate email' | 'last administrator'>;
  recordLogin(id: string, at: number): Promise<void>;
}
