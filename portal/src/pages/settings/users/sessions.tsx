import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { ItemList } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { SessionItem } from '../../account/session-item.tsx';
import { usersChanged } from './changed.ts';
import type { User } from './users.ts';

const SESSIONS = '/api/v1/portal/users/{id}/sessions';
/** As many as a user may have. */
const MAX_SHOWN = 200;

type Session = Schemas['UserSession'];

/** The sessions of a user; `reason`: why they cannot be ended here. */
export function UserSessions({ user, reason }: { user: User; reason: string | undefined }) {
  const path = { id: user.id };
  const params = { path, query: { limit: MAX_SHOWN } };
  const query = api.useQuery('get', SESSIONS, { params }, { placeholderData: keepPreviousData });
  const [ending, setEnding] = useState<Session | 'all' | null>(null);
  const { data } = query;
  if (!data) return <QueryState query={query} height={60} />;
  return (
    <>
      <QueryState query={query} />
      {data.sessions.length === 0 && <p className="muted">{t('Not logged in.')}</p>}
      {data.sessions.length > 0 && (
        <ItemList label={t('Sessions of {name}', { name: user.name })}>
          {data.sessions.map((session) => (
            <SessionItem key={session.id} session={session} reason={reason} onEnd={() => setEnding(session)} />
          ))}
        </ItemList>
      )}
      {data.total > 1 && (
        <div className="row">
          <Button reason={reason} onClick={() => setEnding('all')}>
            {t('End all …')}
          </Button>
        </div>
      )}
      {ending && (
        <ActDialog
          title={ending === 'all' ? t('End all sessions of {name}?', { name: user.name }) : t('End this session?')}
          description={t('{name} is logged out there at once, and can log in again.', { name: user.name })}
          act={t('End')}
          onAct={() =>
            ending === 'all'
              ? answerOf(client.DELETE(SESSIONS, { params: { path } }))
              : answerOf(
                  client.DELETE(`${SESSIONS}/{sessionId}`, { params: { path: { ...path, sessionId: ending.id } } }),
                )
          }
          invalidate={usersChanged}
          done={ending === 'all' ? t('All sessions are ended') : t('The session is ended')}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}
