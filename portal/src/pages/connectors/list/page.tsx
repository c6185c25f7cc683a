import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Badge, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { forAdministrators } from '../../settings/administrator-page.tsx';
import { callsByConnector, DONE, FAILED } from '../calls.ts';
import { connectorsQuery, ENVIRONMENT_LABELS } from '../connectors.ts';
import type { ConnectorSummary } from '../types.ts';
import { FirstConnector } from './first-connector.tsx';
import { type CallCounts, countsBySlug, matching } from './state.ts';

const route = getRouteApi('/shell/connectors');

/** The external APIs that agents may call. */
export const Connectors = forAdministrators(t('Connectors'), t('Only administrators see connectors.'), ConnectorList);

function ConnectorList() {
  const { search } = route.useSearch();
  const query = useQuery(connectorsQuery);
  const all = query.data?.connectors;
  const counts = useCounts(all?.length ?? 0);
  return (
    <>
      <PageHead title={t('Connectors')}>
        <ButtonLink icon="download" to="/connectors/import_openapi">
          {t('Import OpenAPI')}
        </ButtonLink>
        <ButtonLink look="primary" icon="add" to="/connectors/new_connector">
          {t('New connector')}
        </ButtonLink>
      </PageHead>
      <div className="stack">
        {all?.length !== 0 && (
          <p className="muted">
            {t(
              'A connector describes an external API: its addresses, its credential and the calls that agents may make.',
            )}
          </p>
        )}
        {all && all.length > 0 && <SearchField label={t('Search connectors by name, host or credential')} />}
        <QueryState query={query} height={240} />
        {all?.length === 0 ? (
          <FirstConnector />
        ) : (
          <Rows
            label={t('Connectors, by slug')}
            rows={all && matching(all, search)}
            none={t('No connector matches')}
            next={
              <Link to="." search={{}}>
                {t('Show all connectors')}
              </Link>
            }
          >
            {(connector) => (
              <ConnectorItem key={connector.slug} connector={connector} calls={counts?.get(connector.slug)} />
            )}
          </Rows>
        )}
      </div>
    </>
  );
}

/** Undefined until the calls are counted, or when they cannot be: the list does without. */
function useCounts(connectors: number): Map<string, CallCounts> | undefined {
  const limit = Math.max(connectors, 1);
  const done = useQuery({ ...callsByConnector(DONE, limit), enabled: connectors > 0 });
  const failed = useQuery({ ...callsByConnector(FAILED, limit), enabled: connectors > 0 });
  if (!done.data || !failed.data) return undefined;
  return countsBySlug(done.data.groups, failed.data.groups);
}

function ConnectorItem({ connector, calls }: { connector: ConnectorSummary; calls: CallCounts | undefined }) {
  const { slug, name, environments, hosts, credentials, resources, tools, updatedAt } = connector;
  const facts = [
    t.count(resources, '{count} resource', '{count} resources'),
    ...(tools > 0 ? [t.count(tools, '{count} tool of agents', '{count} tools of agents')] : []),
    credentials.length === 0 ? t('no credential') : t('credential {names}', { names: credentials.join(', ') }),
  ];
  return (
    <Item
      title={
        <ItemLink to="/connectors/$slug" params={{ slug }}>
          {name}
        </ItemLink>
      }
      beside={environments.map((environment) => (
        <Badge key={environment} tone="muted">
          {ENVIRONMENT_LABELS[environment]}
        </Badge>
      ))}
      end={calls && <Health calls={calls} />}
    >
      <p className="small breaking">
        <code>{slug}</code> · {hosts.join(', ')}
      </p>
      <p className="small muted">
        {facts.join(' · ')} · {t.nodes('changed {time}', { time: <Time iso={updatedAt} /> })}
      </p>
    </Item>
  );
}

/** The calls of the last 24 hours. */
function Health({ calls: { done, failed } }: { calls: CallCounts }) {
  return (
    <p className="item-value">
      {failed > 0 ? (
        <Badge tone="bad">{t.count(failed, '{count} failed call', '{count} failed calls')}</Badge>
      ) : (
        <Badge tone="good">{t('No failures')}</Badge>
      )}
      <span className="small muted">
        {t.count(done + failed, '{count} call in 24 hours', '{count} calls in 24 hours')}
      </span>
    </p>
  );
}
