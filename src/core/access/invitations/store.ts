import type { Role } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { StoredUser } from '../users/store.ts';

/** Times are epoch milliseconds. */
export interface StoredInvitation {
  id: string;
  tenantId: string;
  email: string;
  role: Role;
  /** SHA-256. */
  secretHash: string;
  /** Id of the user. */
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** With who has invited, as they are now. */
export type OpenInvitation = StoredInvitation & { inviter: Pick<StoredUser, 'name' | 'email' | 'role' | 'isActive'> };

/**
 * Invitations that were not used, revoked or replaced: those are removed. Expired ones count as
 * removed. Reads return what any process has committed.
 */
export interface InvitationStore {
  /** Replaces the one of the same e-mail, in whatever case, and removes expired ones. */
  put(invitation: StoredInvitation): Promise<'stored' | 'unknown tenant'>;
  /** An invitation of any tenant. */
  find(secretHash: string, now: number): Promise<OpenInvitation | null>;
  findByEmail(tenantId: string, email: string, now: number): Promise<OpenInvitation | null>;
  findById(tenantId: string, id: string, now: number): Promise<OpenInvitation | null>;
  /** Newest first. */
  page(tenantId: string, now: number, asked: { limit: number; offset: number }): Promise<Page<OpenInvitation>>;
  /** False if it was used, revoked or replaced. */
  remove(tenantId: string, id: string): Promise<boolean>;
  /** Uses the invitation up and makes the user, in one transaction: of several, the first does. */
  accept(
    { id, secretHash }: Pick<StoredInvitation, 'id' | 'secretHash'>,
    user: StoredUser,
  ): Promise<'accepted' | 'gone' | 'duplicate email'>;
}
