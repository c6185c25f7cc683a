import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, client } from '../../api/client.ts';
import { invalidate, useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { limitsInWords } from '../../limits/words.ts';
import { Button } from '../../ui/button.tsx';
import { ActDialog } from '../../ui/dialog.tsx';
import { Item, Rows } from '../../ui/item-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time, When } from '../../ui/time.tsx';
import { applicationName, GRANTS, type Grant, identityOf, SCOPE_TEXTS } from './applications.ts';

const STEP = 100;

/** The grants that people gave applications; each can be ended. */
export function Applications() {
  const { isAdministrator } = useSession();
  const [limit, setLimit] = useState(STEP);
  const [ending, setEnding] = useState<Grant | null>(null);
  const params = { query: { limit } };
  const query = api.useQuery('get', GRANTS, { params }, { placeholderData: keepPreviousData });
  const { data, isFetching } = query;
  return (
    <>
      <PageHead title={t('Applications')} />
      <div className="stack">
        <p className="muted">
          {isAdministrator
            ? t(
                'Applications that people of this tenant let act for them. Each can do what it was allowed, and never more than the person’s role.',
              )
            : t('Applications that you let act for you. Each can do what you allowed, and never more than your role.')}
        </p>
        <QueryState query={query} height={240} />
        <Rows
          label={t('Connected applications')}
          rows={data?.grants}
          none={t('No application is connected')}
          next={
            <p>
              {t.nodes(
                'Add this server to an MCP client by its address: it sends you here to log in, and you decide what it may do. See {page}.',
                { page: <Link to="/connect">{t('Connect')}</Link> },
              )}
            </p>
          }
        >
          {(grant) => (
            <GrantItem key={grant.id} grant={grant} showsUser={isAdministrator} onEnd={() => setEnding(grant)} />
          )}
        </Rows>
        {data && data.total > data.grants.length && (
          <Button disabled={isFetching} onClick={() => setLimit(limit + STEP)}>
            {t('Show older ones')}
          </Button>
        )}
      </div>
      {ending && <EndGrant grant={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function GrantItem({ grant, showsUser, onEnd }: { grant: Grant; showsUser: boolean; onEnd(): void }) {
  const { client: application, user, identityProvider, scopes, limits, createdAt, expiresAt, lastUsedAt } = grant;
  const name = applicationName(application);
  return (
    <Item
      title={name}
      end={
        <Button aria-label={t('End access of {name}', { name })} onClick={onEnd}>
          {t('End access')}
        </Button>
      }
    >
      <p className="small muted">{identityOf(application)}</p>
      <p className="small" title={scopes.join(' ')}>
        {scopes.map((scope) => SCOPE_TEXTS[scope]).join(' · ')}
      </p>
      {limits && <p className="small">{limitsInWords(limits)}</p>}
      <p className="small muted">
        {showsUser && <>{user.email} · </>}
        {identityProvider === null
          ? t.nodes('allowed {time}', { time: <Time iso={createdAt} /> })
          : t.nodes('allowed {time} by the identity provider {provider}', {
              time: <Time iso={createdAt} />,
              provider: identityProvider,
            })}{' '}
        · {t.nodes('ends {time}', { time: <Time iso={expiresAt} /> })} ·{' '}
        <When text="last used {time}" iso={lastUsedAt} none={t('not used yet')} />
      </p>
    </Item>
  );
}

function EndGrant({ grant, onClose }: { grant: Grant; onClose(): void }) {
  const { id, client: application, user, identityProvider } = grant;
  const name = applicationName(application);
  const again =
    identityProvider === null
      ? t('To connect it again, its user logs in again.')
      : t(
          'The identity provider {provider} may allow it again: to prevent that, take the application away from the person there.',
          { provider: identityProvider },
        );
  return (
    <ActDialog
      title={t('End the access of {name}?', { name })}
      description={`${t('It cannot act for {user} any more, from now on.', { user: user.email })} ${again}`}
      act={t('End access')}
      onAct={() => answerOf(client.DELETE(`${GRANTS}/{id}`, { params: { path: { id } } }))}
      invalidate={() => invalidate((path) => path === GRANTS)}
      done={t('The access was ended')}
      onClose={onClose}
    />
  );
}
