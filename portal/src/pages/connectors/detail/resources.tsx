import { getRouteApi, Link } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Badge, Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { AUTH_LABELS, ENVIRONMENT_LABELS } from '../connectors.ts';
import type { Definition, EnvironmentName, Resource } from '../types.ts';
import type { PartProps } from './parts.ts';

const route = getRouteApi('/shell/connectors/$slug');
/** More need a search. */
const FEW = 8;

/** The facts of a connector, and its calls. */
export function Resources({ definition }: PartProps) {
  const { search } = route.useSearch();
  const all = Object.entries(definition.resources);
  const sought = (search ?? '').toLowerCase();
  const found = all.filter(([slug, { method, path, description = '' }]) =>
    `${slug} ${method} ${path} ${description}`.toLowerCase().includes(sought),
  );
  return (
    <>
      <section className="panel padded">
        <Facts label={t('Connector')} facts={factsOf(definition)} />
      </section>
      {all.length > FEW && <SearchField label={t('Search resources')} />}
      <Rows
        label={t('Resources')}
        rows={found}
        none={t('No resource matches')}
        next={
          <Link to="." search={{}}>
            {t('Show all resources')}
          </Link>
        }
      >
        {([slug, resource]) => <ResourceItem key={slug} connector={definition.slug} slug={slug} resource={resource} />}
      </Rows>
    </>
  );
}

function factsOf({ slug, environments, auth, credentials, timeoutMs, allowPrivateNetworks }: Definition) {
  const addresses = Object.entries(environments).map(([name, { baseUrl }]) => (
    <p key={name} className="breaking">
      {ENVIRONMENT_LABELS[name as EnvironmentName]}: <code>{baseUrl}</code>
    </p>
  ));
  return {
    [t('Slug')]: <code>{slug}</code>,
    [t('Addresses')]: <div className="stack tight">{addresses}</div>,
    [t('Authentication')]: AUTH_LABELS[auth.type],
    [t('Credentials')]: credentials.length > 0 && <Link to="/settings/credentials">{credentials.join(', ')}</Link>,
    [t('Timeout')]: t('{count} ms', { count: timeoutMs }),
    [t('Private networks')]: allowPrivateNetworks.length > 0 && allowPrivateNetworks.join(', '),
  };
}

function ResourceItem({ connector, slug, resource }: { connector: string; slug: string; resource: Resource }) {
  const { method, path, description, mock, fallbackResponse, exposeAsTool } = resource;
  return (
    <Item
      title={
        <ItemLink to="/connectors/$slug" params={{ slug: connector }} search={{ view: 'try', resource: slug }}>
          {slug}
        </ItemLink>
      }
      beside={
        <>
          {exposeAsTool && <Badge tone="good">{t('Tool')}</Badge>}
          {mock !== undefined && <Badge tone="muted">{t('Mock')}</Badge>}
          {fallbackResponse !== undefined && <Badge tone="muted">{t('Fallback')}</Badge>}
        </>
      }
    >
      <p className="small breaking">
        <code>
          {method} {path}
        </code>
      </p>
      {description !== undefined && <p className="small muted clamped">{description}</p>}
    </Item>
  );
}
