import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Badge, Item, ItemList, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { operatorsReason, PROVIDERS, type Provider, type ProviderChange, VENDOR_LABELS } from './providers.ts';
import { VendorItem } from './vendor-item.tsx';

const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** From so many on, there is a search. */
const MANY = 8;

/** The vendors of models with their keys, and the tenant's own definitions. */
export const Providers = forAdministrators('LLM providers', 'LLM providers', ProvidersOfTenant);

function ProvidersOfTenant() {
  const [change, setChange] = useState<ProviderChange | null>(null);
  const query = api.useQuery('get', PROVIDERS, {}, { placeholderData: keepPreviousData });
  const { data } = query;
  return (
    <>
      <PageHead title="LLM providers">
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add', vendor: 'custom' })}>
          Add provider
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          Chats are answered by the vendors for which this server has a key, and by the providers that you add: another
          key, or a server with OpenAI’s API.
        </p>
        <QueryState query={query} height={560} />
        {data && (
          <>
            <Section id="vendors" title="Vendors" className="stack tight">
              <ItemList label="Vendors">
                {data.vendors.map((vendor) => (
                  <VendorItem key={vendor.provider} vendor={vendor} onChange={setChange} />
                ))}
              </ItemList>
            </Section>
            <OwnProviders providers={data.providers} onChange={setChange} />
          </>
        )}
      </div>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function OwnProviders({ providers, onChange }: { providers: Provider[]; onChange(change: ProviderChange): void }) {
  const { search } = useSearch({ strict: false });
  const sought = (search ?? '').toLowerCase();
  const found = providers.filter(({ definition: { name, provider, baseUrl = '' } }) =>
    `${name} ${provider} ${baseUrl}`.toLowerCase().includes(sought),
  );
  return (
    <Section id="own" title="Your providers" className="stack tight">
      {(providers.length >= MANY || search !== undefined) && <SearchField label="Search providers" />}
      <Rows
        label="Your providers"
        rows={found}
        none={search === undefined ? 'No provider of your own yet' : 'No provider matches'}
        next={
          search === undefined ? (
            <p>
              Add one with a key of its own, which is stored sealed, or with the address of a gateway or of your own
              server. Chats name it as <code>providerName</code>.
            </p>
          ) : (
            <p>The search looks into names, vendors and base URLs.</p>
          )
        }
      >
        {(provider) => <OwnProvider key={provider.definition.name} provider={provider} onChange={onChange} />}
      </Rows>
    </Section>
  );
}

function OwnProvider({ provider, onChange }: { provider: Provider; onChange(change: ProviderChange): void }) {
  const { operates } = useSession();
  const { definition, testModel, updatedAt } = provider;
  const { name, provider: vendor, baseUrl, fallbacks } = definition;
  const reason = operatorsReason(provider, operates);
  const change = (to: ProviderChange) => () => onChange(to);
  return (
    <Item
      title={name}
      beside={
        <>
          <span className="small muted">{VENDOR_LABELS[vendor]}</span>
          <KeyBadge secret={definition.apiKey} />
          {definition.allowPrivateNetwork && <Badge tone="muted">Private network</Badge>}
        </>
      }
      end={
        <Actions
          actions={[
            { label: 'Models', name: `Models of ${name}`, onClick: change({ kind: 'models', name, vendor }) },
            { label: 'Test', name: `Test ${name}`, onClick: change({ kind: 'test', name, vendor, testModel }) },
            { label: 'Edit', name: `Edit ${name}`, reason, onClick: change({ kind: 'edit', name }) },
            { label: 'Delete', name: `Delete ${name}`, onClick: change({ kind: 'delete', name }) },
          ]}
        />
      }
    >
      {baseUrl !== undefined && (
        <p className="small">
          <code className="breaking">{baseUrl}</code>
        </p>
      )}
      <p className="small muted">
        {fallbacks.length > 0 && (
          <>Falls back on {fallbacks.map((one) => `${one.providerName ?? one.provider} ${one.model}`).join(', ')} · </>
        )}
        changed <Time iso={updatedAt} />
      </p>
    </Item>
  );
}

function KeyBadge({ secret }: { secret: Provider['definition']['apiKey'] }) {
  if (secret === undefined) return <Badge tone="muted">No key</Badge>;
  return <Badge>{secret === 'set' ? 'Key stored' : `Key from ${secret.env}`}</Badge>;
}
