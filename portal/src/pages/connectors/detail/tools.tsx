import { Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { valueText } from '../../../transcript/json.ts';
import { TitledCode } from '../../../transcript/titled-code.tsx';
import { Check } from '../../../ui/field.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice, QueryState } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { CONNECTORS, connectorsChanged, putConnector, readConnector } from '../connectors.ts';
import type { Definition } from '../types.ts';
import { exampleArguments } from './call-fields.ts';
import type { PartProps } from './parts.ts';
import { tokensOf } from './words.ts';

type Tool = Schemas['ConnectorTool']['tool'];

/** Which resources agents see as tools, and each tool as a model reads it. */
export function Tools({ definition }: PartProps) {
  const { slug } = definition;
  const params = { path: { slug } };
  const query = api.useQuery('get', `${CONNECTORS}/{slug}/tools`, { params });
  const { error, isBusy, run } = useTask();
  const tools = new Map(query.data?.tools.map(({ resource, tool }) => [resource, tool]));
  const tokens = [...tools.values()].reduce((sum, tool) => sum + tokensOf(tool), 0);
  const expose = (resource: string, exposeAsTool: boolean) =>
    run(async () => {
      await setExposed(slug, resource, exposeAsTool);
      announce(
        exposeAsTool ? t('{resource} is a tool now', { resource }) : t('{resource} is no tool any more', { resource }),
      );
    });
  return (
    <>
      <p className="muted">
        {t.nodes(
          'MCP clients see the chosen resources as tools, if their key has the scopes mcp:read and connectors:execute. {keys}',
          { keys: <Link to="/settings/keys">{t('API keys')}</Link> },
        )}
      </p>
      {tools.size > 0 && (
        <p role="status">
          {t.count(tokens, 'About {count} token in each list of tools.', 'About {count} tokens in each list of tools.')}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <QueryState query={query} height={120} />
      <ItemList label={t('Resources')}>
        {Object.entries(definition.resources).map(([resource, { method, path, exposeAsTool }]) => (
          <Item
            key={resource}
            title={
              <Check
                label={resource}
                checked={exposeAsTool}
                disabled={isBusy}
                onChange={(isExposed) => void expose(resource, isExposed)}
              />
            }
            beside={exposeAsTool && <Badge tone="good">{t('Tool')}</Badge>}
          >
            <p className="small breaking">
              <code>
                {method} {path}
              </code>
            </p>
            {tools.has(resource) && <AsModel connector={slug} resource={resource} tool={tools.get(resource)!} />}
          </Item>
        ))}
      </ItemList>
    </>
  );
}

/** Changes the stored definition, of which this page may have read a former version. */
async function setExposed(slug: string, resource: string, exposeAsTool: boolean): Promise<void> {
  const { data, etag } = await readConnector(slug);
  const { resources }: Definition = data.definition;
  const changed = { ...resources, [resource]: { ...resources[resource], exposeAsTool } };
  await putConnector(slug, { ...data.definition, resources: changed }, { 'if-match': etag });
  await connectorsChanged();
}

function AsModel({ connector, resource, tool }: { connector: string; resource: string; tool: Tool }) {
  const { name, description, inputSchema } = tool;
  const call = { method: 'tools/call', params: { name, arguments: exampleArguments(inputSchema) } };
  return (
    <Folded summary={t('{name} as a model reads it', { name })}>
      {() => (
        <>
          <p>{description}</p>
          <TitledCode title={t('Input schema')} text={valueText(inputSchema)} />
          <TitledCode title={t('A call over MCP')} text={valueText(call)} />
          <p className="small muted">
            {t.count(tokensOf(tool), 'About {count} token.', 'About {count} tokens.')}{' '}
            <Link to="/connectors/$slug" params={{ slug: connector }} search={{ view: 'try', resource }}>
              {t('Try this call')}
            </Link>
          </p>
        </>
      )}
    </Folded>
  );
}
