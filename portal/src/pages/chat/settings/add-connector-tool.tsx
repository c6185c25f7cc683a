import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { QueryFault } from '../../../ui/states.tsx';
import { connectorTool } from '../state/tools/connector.ts';
import type { ConnectorTool } from '../state/tools/form.ts';

const CONNECTORS = '/api/v1/portal/connectors';

interface AddConnectorToolProps {
  known: readonly ConnectorTool[];
  onAdd(tool: ConnectorTool): void;
}

/** Chooses a resource of a connector as a tool. Without any connector, nothing is shown. */
export function AddConnectorTool({ known, onAdd }: AddConnectorToolProps) {
  const { isAdministrator } = useSession();
  const query = api.useQuery('get', CONNECTORS, { params: { query: { limit: 200 } } }, { enabled: isAdministrator });
  const [chosen, setChosen] = useState<string | null>(null);
  const connectors = query.data?.connectors ?? [];
  if (query.error) return <QueryFault query={query} />;
  if (connectors.length === 0) return null;
  const slug = chosen ?? connectors[0]!.slug;
  return (
    <>
      <SelectField
        label={t('Connector')}
        value={slug}
        options={connectors.map(({ slug: value, name }) => ({ value, label: name }))}
        onChoose={setChosen}
      />
      <AddResource key={slug} slug={slug} known={known} onAdd={onAdd} />
    </>
  );
}

function AddResource({ slug, known, onAdd }: AddConnectorToolProps & { slug: string }) {
  const query = api.useQuery('get', `${CONNECTORS}/{slug}`, { params: { path: { slug } } });
  const [chosen, setChosen] = useState('');
  if (query.error) return <QueryFault query={query} />;
  const { definition } = query.data ?? {};
  const isKnown = (name: string) => known.some(({ connector, resource }) => connector === slug && resource === name);
  const names = Object.keys(definition?.resources ?? {}).filter((name) => !isKnown(name));
  if (!definition || names.length === 0) return null;
  const value = names.includes(chosen) ? chosen : names[0]!;
  return (
    <div className="name-and-button">
      <SelectField
        label={t('Resource')}
        value={value}
        options={names.map((name) => ({ value: name, label: name }))}
        onChoose={setChosen}
      />
      <Button
        icon="add"
        aria-label={t('Add {resource} of {connector} as a tool', { resource: value, connector: slug })}
        onClick={() => onAdd(connectorTool(definition, value))}
      >
        {t('Add')}
      </Button>
    </div>
  );
}
