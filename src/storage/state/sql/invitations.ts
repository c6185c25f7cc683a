import type { InvitationStore, OpenInvitation, StoredInvitation } from '../../../core/access/invitations/store.ts';
import type { StoredUser } from '../../../core/access/users/store.ts';
import type { Role } from '../../../core/base/shared/caller.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { fromRow, toRow } from './rows.ts';
import { toUserRow } from './users.ts';
import { violationAsResult } from './violations.ts';

export class SqlInvitationStore implements InvitationStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async put(invitation: StoredInvitation) {
    const row = { ...toRow(invitation), email_key: keyOf(invitation.email) };
    const stored = this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('invitations').where('expires_at', '<=', invitation.createdAt).execute();
      await transaction
        .insertInto('invitations')
        .values(row)
        .onConflict((conflict) => conflict.columns(['tenant_id', 'email_key']).doUpdateSet(row))
        .execute();
      return 'stored' as const;
    });
    return violationAsResult(stored, { 'foreign key': 'unknown tenant' } as const);
  }

  async find(secretHash: string, now: number): Promise<OpenInvitation | null> {
    const row = await this.open(now).where('invitations.secret_hash', '=', secretHash).executeTakeFirst();
    return row ? toInvitation(row) : null;
  }

  async findByEmail(tenantId: string, email: string, now: number): Promise<OpenInvitation | null> {
    const ofTenant = this.open(now).where('invitations.tenant_id', '=', tenantId);
    const row = await ofTenant.where('invitations.email_key', '=', keyOf(email)).executeTakeFirst();
    return row ? toInvitation(row) : null;
  }

  async findById(tenantId: string, id: string, now: number): Promise<OpenInvitation | null> {
    const ofTenant = this.open(now).where('invitations.tenant_id', '=', tenantId);
    const row = await ofTenant.where('invitations.id', '=', id).executeTakeFirst();
    return row ? toInvitation(row) : null;
  }

  async page(
    tenantId: string,
    now: number,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<OpenInvitation>> {
    const { total } = await this.database
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('tenant_id', '=', tenantId)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    const newestFirst = this.open(now)
      .where('invitations.tenant_id', '=', tenantId)
      .orderBy('invitations.created_at', 'desc')
      .orderBy('invitations.id', 'desc');
    return { items: (await newestFirst.limit(limit).offset(offset).execute()).map(toInvitation), total };
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const removed = this.database.deleteFrom('invitations').where('tenant_id', '=', tenantId).where('id', '=', id);
    return (await removed.executeTakeFirst()).numDeletedRows === 1n;
  }

  async accept({ id, secretHash }: Pick<StoredInvitation, 'id' | 'secretHash'>, user: StoredUser) {
    const accepted = this.database.transaction().execute(async (transaction) => {
      // Whoever removes the row makes the user: the others wait for it, and find none.
      const { numDeletedRows } = await transaction
        .deleteFrom('invitations')
        .where('id', '=', id)
        .where('secret_hash', '=', secretHash)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return 'gone' as const;
      await transaction.insertInto('users').values(toUserRow(user)).execute();
      return 'accepted' as const;
    });
    return violationAsResult(accepted, { unique: 'duplicate email', 'foreign key': 'gone' } as const);
  }

  private open(now: number) {
    return this.database
      .selectFrom('invitations')
      .innerJoin('users', 'users.id', 'invitations.invited_by')
      .selectAll('invitations')
      .select(['users.name', 'users.email as inviter_email', 'users.role as inviter_role', 'users.is_active'])
      .where('invitations.expires_at', '>', now);
  }
}

type InvitationRow = StateTables['invitations'] & {
  name: string;
  inviter_email: string;
  inviter_role: Role;
  is_active: number;
};

function toInvitation(row: InvitationRow): OpenInvitation {
  const { email_key: _, name, inviter_email: email, inviter_role: role, is_active: isActive, ...stored } = row;
  return { ...fromRow(stored), inviter: { name, email, role, isActive: isActive === 1 } };
}

function keyOf(email: string): string {
  return email.toLowerCase();
}
