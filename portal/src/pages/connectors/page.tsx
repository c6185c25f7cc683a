import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, client } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { invalidate } from '../../api/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { ActDialog } from '../../ui/dialog.tsx';
import { Badge, Item, Rows } from '../../ui/item-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { forAdministrators } from '../settings/administrator-page.tsx';

const CONNECTORS = '/api/v1/portal/connectors';
const MAX_SHOWN = 200;

type Connector = Schemas['ConnectorSummary'];

/** The external APIs that agents may call. */
export const Connectors = forAdministrators('Connectors', 'connectors', List);

function List() {
  const [removing, setRemoving] = useState<Connector | null>(null);
  const params = { query: { limit: MAX_SHOWN } };
  const query = api.useQuery('get', CONNECTORS, { params }, { placeholderData: keepPreviousData });
  const { data } = query;
  return (
    <>
      <PageHead title="Connectors" />
      <div className="stack">
        <p className="muted">
          A connector describes an external API: its addresses, its credential and the calls that agents may make.
        </p>
        <QueryState query={query} height={240} />
        <Rows
          label="Connectors"
          rows={data?.connectors}
          none="No connector yet"
          next={
            <p>
              Write its definition as JSON, or make it of an OpenAPI document:{' '}
              <code>agent-runtime connectors import</code>. docs/connectors.md has the members.
            </p>
          }
        >
          {(connector) => (
            <ConnectorItem key={connector.slug} connector={connector} onRemove={() => setRemoving(connector)} />
          )}
        </Rows>
      </div>
      {removing && <RemoveConnector connector={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function ConnectorItem({ connector, onRemove }: { connector: Connector; onRemove(): void }) {
  const { slug, name, environments, resources, updatedAt } = connector;
  return (
    <Item
      title={name}
      beside={environments.map((environment) => (
        <Badge key={environment} tone="muted">
          {environment}
        </Badge>
      ))}
      end={<IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />}
    >
      <p className="small muted">
        <code>{slug}</code> · {resources} {resources === 1 ? 'resource' : 'resources'} · changed{' '}
        <Time iso={updatedAt} />
      </p>
    </Item>
  );
}

function RemoveConnector({ connector: { slug, name }, onClose }: { connector: Connector; onClose(): void }) {
  return (
    <ActDialog
      title={`Remove ${name}?`}
      description="Calls of it are answered with 404 within a second. The credentials that it lists stay."
      act="Remove"
      onAct={() => answerOf(client.DELETE(`${CONNECTORS}/{slug}`, { params: { path: { slug } } }))}
      invalidate={() => invalidate((path) => path === CONNECTORS)}
      done="The connector was removed"
      onClose={onClose}
    />
  );
}
