import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { roleLabel, roleReason } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Actions, Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time, When } from '../../../ui/time.tsx';
import { usersChanged } from './changed.ts';
import type { InviteStart } from './invite.tsx';
import { INVITATIONS, type Invitation } from './users.ts';

const route = getRouteApi('/shell/settings/users');

interface InvitationsProps {
  query: { data: { invitations: Invitation[]; total: number } | undefined; error: unknown; refetch(): unknown };
  onInvite(start: InviteStart): void;
}

/** The open invitations that the filters leave. */
export function Invitations({ query, onInvite }: InvitationsProps) {
  const { search = '', role } = route.useSearch();
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const isFiltered = search !== '' || role !== undefined;
  const invitations = query.data?.invitations.filter(
    (one) => one.email.toLowerCase().includes(search.toLowerCase()) && (role === undefined || one.role === role),
  );
  return (
    <>
      <QueryState query={query} height={320} />
      <Rows
        label={t('Open invitations')}
        rows={invitations}
        none={isFiltered ? t('No open invitation matches') : t('No open invitation')}
        next={
          isFiltered ? (
            <Link to="/settings/users" search={{ state: 'invited' }}>
              {t('Show all open invitations')}
            </Link>
          ) : (
            <p>{t('Invite somebody by e-mail address: you get a link that works once, for seven days.')}</p>
          )
        }
      >
        {(one) => (
          <InvitationItem key={one.id} invitation={one} onInvite={onInvite} onRevoke={() => setRevoking(one)} />
        )}
      </Rows>
      {query.data && query.data.total > query.data.invitations.length && (
        <p className="small muted">
          {t('From the newest {shown} of {total} invitations.', {
            shown: query.data.invitations.length,
            total: query.data.total,
          })}
        </p>
      )}
      {revoking && (
        <ActDialog
          title={t('Revoke the invitation of {email}?', { email: revoking.email })}
          description={t('The link is void at once. You can invite the person again.')}
          act={t('Revoke')}
          onAct={() => answerOf(client.DELETE(`${INVITATIONS}/{id}`, { params: { path: { id: revoking.id } } }))}
          invalidate={usersChanged}
          done={t('The invitation is revoked')}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

interface InvitationItemProps {
  invitation: Invitation;
  onInvite(start: InviteStart): void;
  onRevoke(): void;
}

function InvitationItem({ invitation, onInvite, onRevoke }: InvitationItemProps) {
  const { email, role, invitedBy, createdAt, expiresAt, valid } = invitation;
  const reason = roleReason(useSession().user.role, role);
  return (
    <Item
      title={email}
      beside={
        <>
          <Badge>{roleLabel(role)}</Badge>
          {!valid && <Badge tone="warning">{t('refused')}</Badge>}
        </>
      }
      end={
        <Actions
          actions={[
            {
              label: t('New link'),
              name: t('New link for {email}', { email }),
              reason,
              onClick: () => onInvite({ email, role }),
            },
            { label: t('Revoke'), name: t('Revoke the invitation of {email}', { email }), reason, onClick: onRevoke },
          ]}
        />
      }
    >
      {!valid && (
        <p className="small">
          {t('{name} may not give this role any more: make a new link.', { name: invitedBy.name })}
        </p>
      )}
      <p className="small muted">
        {t.nodes('Invited by {name} on {time}', { name: invitedBy.name, time: <Time iso={createdAt} /> })}
        <When lead=" · " text="valid until {time}" iso={expiresAt} />
      </p>
    </Item>
  );
}
