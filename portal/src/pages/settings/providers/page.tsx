import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Badge, Item, ItemList, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { When } from '../../../ui/time.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { operatorsReason, PROVIDERS, type Provider, type ProviderChange, VENDOR_LABELS } from './providers.ts';
import { VendorItem } from './vendor-item.tsx';

const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** From so many on, there is a search. */
const MANY = 8;

/** The vendors of models with their keys, and the tenant's own definitions. */
export const Providers = forAdministrators(
  t('LLM providers'),
  t('Only administrators see LLM providers.'),
  ProvidersOfTenant,
);

function ProvidersOfTenant() {
  const [change, setChange] = useState<ProviderChange | null>(null);
  const query = api.useQuery('get', PROVIDERS, {}, { placeholderData: keepPreviousData });
  const { data } = query;
  return (
    <>
      <PageHead title={t('LLM providers')}>
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add', vendor: 'custom' })}>
          {t('Add provider')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t(
            'Chats are answered by the vendors for which this server has a key, and by the providers that you add: another key, or a server with OpenAI’s API.',
          )}
        </p>
        <QueryState query={query} height={560} />
        {data && (
          <>
            <Section id="vendors" title={t('Vendors')} className="stack tight">
              <ItemList label={t('Vendors')}>
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
    <Section id="own" title={t('Your providers')} className="stack tight">
      {(providers.length >= MANY || search !== undefined) && <SearchField label={t('Search providers')} />}
      <Rows
        label={t('Your providers')}
        rows={found}
        none={search === undefined ? t('No provider of your own yet') : t('No provider matches')}
        next={
          search === undefined ? (
            <p>
              {t(
                'Add one with a key of its own, which is stored sealed, or with the address of a gateway or of your own server.',
              )}{' '}
              {t.nodes('Chats name it as {member}.', { member: <code>providerName</code> })}
            </p>
          ) : (
            <p>{t('The search looks into names, vendors and base URLs.')}</p>
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
          {definition.allowPrivateNetwork && <Badge tone="muted">{t('Private network')}</Badge>}
        </>
      }
      end={
        <Actions
          actions={[
            {
              label: t('Models'),
              name: t('Models of {name}', { name }),
              onClick: change({ kind: 'models', name, vendor }),
            },
            {
              label: t('Test'),
              name: t('Test {name}', { name }),
              onClick: change({ kind: 'test', name, vendor, testModel }),
            },
            {
              label: t('Edit'),
              name: t('Edit {title}', { title: name }),
              reason,
              onClick: change({ kind: 'edit', name }),
            },
            { label: t('Delete'), name: t('Delete {name}', { name }), onClick: change({ kind: 'delete', name }) },
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
          <>
            {t('Falls back on {models}', {
              models: fallbacks.map((one) => `${one.providerName ?? one.provider} ${one.model}`).join(', '),
            })}{' '}
            ·{' '}
          </>
        )}
        <When text="changed {time}" iso={updatedAt} />
      </p>
    </Item>
  );
}

function KeyBadge({ secret }: { secret: Provider['definition']['apiKey'] }) {
  if (secret === undefined) return <Badge tone="muted">{t('No key')}</Badge>;
  return <Badge>{secret === 'set' ? t('Key stored') : t('Key from {variable}', { variable: secret.env })}</Badge>;
}
