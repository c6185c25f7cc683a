import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { announce } from '../../../ui/toast.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import { ViewLink, Views } from '../../../ui/views.tsx';
import { forAdministrators } from '../../settings/administrator-page.tsx';
import { TypedDialog } from '../../settings/data/typed-dialog.tsx';
import { CONNECTORS, connectorQuery, connectorsChanged } from '../connectors.ts';
import { Health } from './health.tsx';
import type { PartProps } from './parts.ts';
import { Resources } from './resources.tsx';
import { Tools } from './tools.tsx';
import { TryCall } from './try-call.tsx';

const route = getRouteApi('/shell/connectors/$slug');
const ONLY = t('Only administrators see connectors.');

export const ConnectorPage = forAdministrators(t('Connector'), ONLY, Found);

/** The part of the page that is shown. */
const VIEWS = [
  { view: undefined, label: t('Resources'), Part: Resources },
  { view: 'try', label: t('Try a call'), Part: TryCall },
  { view: 'health', label: t('Health'), Part: Health },
  { view: 'tools', label: t('Tools of agents'), Part: Tools },
] as const;

function Found() {
  const { slug } = route.useParams();
  const query = useQuery(connectorQuery(slug));
  if (query.data) return <Connector definition={query.data.data.definition} />;
  return (
    <UnreadPage title={t('Connector')} missing={t('There is no such connector')} query={query}>
      <Link to="/connectors">{t('All connectors')}</Link>
    </UnreadPage>
  );
}

function Connector({ definition }: PartProps) {
  const { slug, name, description } = definition;
  const search = route.useSearch();
  const [isDeleting, setDeleting] = useState(false);
  const { Part } = VIEWS.find(({ view }) => view === search.view) ?? VIEWS[0];
  return (
    <>
      <PageHead title={name}>
        <ButtonLink icon="download" to="/connectors/$slug/import" params={{ slug }}>
          {t('Import again')}
        </ButtonLink>
        <ButtonLink icon="edit" to="/connectors/$slug/edit" params={{ slug }}>
          {t('Edit')}
        </ButtonLink>
        <Button icon="trash" onClick={() => setDeleting(true)}>
          {t('Delete')}
        </Button>
      </PageHead>
      <Views label={t('Parts of the connector')}>
        {VIEWS.map(({ view, label }) => (
          <ViewLink
            key={label}
            to="/connectors/$slug"
            params={{ slug }}
            search={view === undefined ? {} : { view }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={view === search.view ? 'page' : undefined}
          >
            {label}
          </ViewLink>
        ))}
      </Views>
      <div className="stack">
        {description !== undefined && search.view === undefined && <p className="muted">{description}</p>}
        <Part definition={definition} />
      </div>
      {isDeleting && <DeleteConnector slug={slug} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteConnector({ slug, onClose }: { slug: string; onClose(): void }) {
  const navigate = useNavigate();
  const remove = async () => {
    await answerOf(client.DELETE(`${CONNECTORS}/{slug}`, { params: { path: { slug } } }));
    await navigate({ to: '/connectors' });
    await connectorsChanged();
    announce(t('The connector was deleted'));
  };
  return (
    <TypedDialog
      title={t('Delete {name}?', { name: slug })}
      description={t(
        'Calls of it are answered with 404 within a second, and its tools go away. The credentials that it lists stay.',
      )}
      name={slug}
      act={t('Delete')}
      onAct={remove}
      onClose={onClose}
    />
  );
}
