import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { PROVIDERS } from '../settings/providers/providers.ts';
import { Playground } from './playground.tsx';
import { sourcesOf } from './state/sides.ts';

/** Conversations with models, one or two at once, with all that a request may set. */
export function Chat() {
  const { can, user } = useSession();
  if (can('chat:write')) return <WithProviders />;
  return (
    <>
      <PageHead title={t('Chat')} />
      <p className="notice">
        {t('Your role, {role}, does not let you chat with models. An administrator can give you another one.', {
          role: roleLabel(user.role),
        })}
      </p>
    </>
  );
}

function WithProviders() {
  const query = api.useQuery('get', PROVIDERS);
  const { data } = query;
  const sources = useMemo(() => (data ? sourcesOf(data) : []), [data]);
  if (sources.length > 0) return <Playground sources={sources} />;
  return (
    <>
      <PageHead title={t('Chat')} />
      {data ? (
        <div className="panel">
          <EmptyState title={t('No LLM provider is configured')}>
            <p>
              {t(
                'Here you try models: ask them, compare two, give them tools, and review what they answer. An administrator adds the key of a vendor, or a server of your own, first.',
              )}
            </p>
            <Link to="/settings/providers">{t('Add an LLM provider')}</Link>
          </EmptyState>
        </div>
      ) : (
        <QueryState query={query} height={480} />
      )}
    </>
  );
}
