import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { roleReason } from '../../../api/roles.ts';
import { invalidate, useSession } from '../../../api/session.ts';
import { Paging } from '../../../feed/list.tsx';
import { PAGE_SIZE, pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Actions, Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { browserName } from '../../account/browser-name.ts';

const ALL = '/api/v1/portal/sessions/all';
const OF_USER = '/api/v1/portal/users/{id}/sessions';
/** The server counts no further. */
const MAX_COUNTED = 1_000;

const route = getRouteApi('/shell/settings/security');

type Session = Schemas['SessionOfUser'];
type Ending = { of: 'session' | 'user'; session: Session } | { of: 'everybody' };

/** The sessions of everybody in the workspace. */
export function SessionsOfAll() {
  const { search, page } = route.useSearch();
  const number = pageNumber(page);
  const params = { query: { search, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE } };
  const query = api.useQuery('get', ALL, { params }, { placeholderData: keepPreviousData });
  const [ending, setEnding] = useState<Ending | null>(null);
  const { data } = query;
  return (
    <section className="stack" aria-labelledby="sessions">
      <div className="row">
        <h2 id="sessions" className="grow">
          {t('Sessions of everybody')}
        </h2>
        <Button look="danger" onClick={() => setEnding({ of: 'everybody' })}>
          {t('End all but mine …')}
        </Button>
      </div>
      <SearchField label={t('Search by user')} />
      <QueryState query={query} height={320} />
      <Rows
        label={t('Sessions, the newest first')}
        rows={data?.sessions}
        total={data?.total}
        none={t('No session matches')}
        next={
          <Link to="/settings/security" search={{}}>
            {t('Show all sessions')}
          </Link>
        }
      >
        {(session) => <SessionItem key={session.id} session={session} onEnd={(of) => setEnding({ of, session })} />}
      </Rows>
      {data && (
        <div className="row">
          <span className="small muted">
            {data.total >= MAX_COUNTED
              ? t('At least {count} sessions', { count: data.total })
              : t.count(data.total, '{count} session', '{count} sessions')}
          </span>
          <Paging label={t('Pages of sessions')} number={number} total={data.total} />
        </div>
      )}
      {ending && <EndDialog ending={ending} onClose={() => setEnding(null)} />}
    </section>
  );
}

function SessionItem({ session, onEnd }: { session: Session; onEnd(of: 'session' | 'user'): void }) {
  const { user: me } = useSession();
  const { user, current, createdAt, lastSeenAt, address, userAgent } = session;
  const { name } = user;
  const own = user.id === me.id ? t('End your own sessions under “Your account”.') : undefined;
  const reason = own ?? roleReason(me.role, user.role);
  return (
    <Item
      title={
        <Link to="/settings/users/$id" params={{ id: user.id }} preload={false}>
          {user.name}
        </Link>
      }
      beside={
        <>
          <span className="small muted">{user.email}</span>
          {current && <Badge tone="good">{t('this one')}</Badge>}
        </>
      }
      end={
        <Actions
          actions={[
            {
              label: t('End'),
              name: t('End the session of {name} from {address}', { name, address }),
              reason,
              onClick: () => onEnd('session'),
            },
            {
              label: t('End all'),
              name: t('End all sessions of {name}', { name }),
              reason,
              onClick: () => onEnd('user'),
            },
          ]}
        />
      }
    >
      <p className="small muted">
        {t.nodes('{browser} from {address}, since {start}, last seen {seen}', {
          browser: browserName(userAgent),
          address,
          start: <Time iso={createdAt} />,
          seen: <Time iso={lastSeenAt} />,
        })}
      </p>
    </Item>
  );
}

function EndDialog({ ending, onClose }: { ending: Ending; onClose(): void }) {
  const { user: me } = useSession();
  const shared = { act: t('End'), onClose, invalidate: () => invalidate((path) => path.includes('/sessions')) };
  if (ending.of === 'everybody') {
    return (
      <ActDialog
        {...shared}
        title={t('End the sessions of everybody but you?')}
        description={[
          t('All other people of the workspace are logged out at once, and can log in again.'),
          me.role !== 'SUPER_ADMIN' &&
            t('Super administrators stay logged in: only one of them can end their sessions.'),
          t('API keys and connected applications go on.'),
        ]
          .filter(Boolean)
          .join(' ')}
        onAct={() => answerOf(client.DELETE(ALL, {}))}
        done={t('The sessions are ended')}
      />
    );
  }
  const { id, user } = ending.session;
  const path = { id: user.id };
  return (
    <ActDialog
      {...shared}
      title={
        ending.of === 'user'
          ? t('End all sessions of {name}?', { name: user.name })
          : t('End this session of {name}?', { name: user.name })
      }
      description={t(
        'The user is logged out there at once, and can log in again. To prevent that, deactivate the user.',
      )}
      onAct={() =>
        ending.of === 'user'
          ? answerOf(client.DELETE(OF_USER, { params: { path } }))
          : answerOf(client.DELETE(`${OF_USER}/{sessionId}`, { params: { path: { ...path, sessionId: id } } }))
      }
      done={ending.of === 'user' ? t('All sessions of the user are ended') : t('The session is ended')}
    />
  );
}
