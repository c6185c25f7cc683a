import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { Paging } from '../../../feed/list.tsx';
import { pageNumber } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Item, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SearchField } from '../../../ui/list-page.tsx';
import { PageHead, Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { forAdministrators } from '../administrator-page.tsx';
import { QuotaBars } from './bar.tsx';
import { History } from './history.tsx';
import { QUOTAS } from './quotas.ts';
import type { Owner } from './state.ts';

const LimitsDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/settings/quotas');
const PAGE_SIZE = 20;

/** How much may be used, is used, and was used. */
export const Quotas = forAdministrators(t('Quotas and budgets'), t('Only administrators see quotas.'), QuotasPage);

function QuotasPage() {
  const { search, page, key } = route.useSearch();
  const number = pageNumber(page);
  const asked = { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE, ...(search && { search }) };
  const query = api.useQuery('get', QUOTAS, { params: { query: asked } }, { placeholderData: keepPreviousData });
  const [changing, setChanging] = useState<Owner | null>(null);
  const { data } = query;
  return (
    <>
      <PageHead title={t('Quotas and budgets')} />
      <div className="stack">
        <p className="muted">
          {t(
            'Limits of this tenant and of its API keys. What goes beyond one is refused with a message that names it.',
          )}
        </p>
        <QueryState query={query} height={320} />
        {data && <TenantLimits tenant={data.tenant} onChange={() => setChanging({ kind: 'tenant' })} />}
        {data && <History keyLabel={data.keys.find(({ id }) => id === key)?.label} />}
        {data && <KeyLimits data={data} number={number} onChange={setChanging} />}
      </div>
      {changing && <LimitsDialog owner={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

function TenantLimits({ tenant, onChange }: { tenant: Schemas['TenantQuotas']; onChange(): void }) {
  const { operates, user } = useSession();
  const reason = operates
    ? undefined
    : user.role === 'SUPER_ADMIN'
      ? t('With several tenants, the operator sets their limits at the command line: agent-runtime tenants quota.')
      : t(
          'Only who operates the installation sets the limits of the tenant: a super administrator, or the command agent-runtime tenants quota.',
        );
  return (
    <section className="panel padded stack" aria-labelledby="of-tenant">
      <div className="row">
        <h2 id="of-tenant" className="grow">
          {t('The tenant')}
        </h2>
        <Button icon="edit" reason={reason} onClick={onChange}>
          {t('Change limits')}
        </Button>
      </div>
      {reason && <p className="small muted">{reason}</p>}
      {tenant.quotas.length > 0 ? (
        <QuotaBars label={t('the tenant')} quotas={tenant.quotas} />
      ) : (
        <p className="muted">{t('No limits are set: the tenant may use whatever the server has.')}</p>
      )}
    </section>
  );
}

interface KeyLimitsProps {
  data: { keys: Schemas['KeyQuotas'][]; total: number };
  number: number;
  onChange(owner: Owner): void;
}

function KeyLimits({ data: { keys, total }, number, onChange }: KeyLimitsProps) {
  const { search } = route.useSearch();
  return (
    <Section id="of-keys" title={t('API keys')} className="stack">
      <SearchField label={t('Search by label or id')} />
      <Rows
        label={t('API keys, those with limits first')}
        rows={keys}
        total={total}
        none={search ? t('No key matches') : t('No key can be used')}
        next={
          <p>{search ? t('Search for a part of its label or id.') : t('Create an API key first; limit it here.')}</p>
        }
      >
        {(key) => <KeyItem key={key.id} owner={key} onChange={onChange} />}
      </Rows>
      <Paging label={t('Pages of keys')} number={number} total={total} size={PAGE_SIZE} />
    </Section>
  );
}

function KeyItem({ owner, onChange }: { owner: Schemas['KeyQuotas']; onChange(owner: Owner): void }) {
  const { id, label, quotas } = owner;
  const setSearch = useSetSearch();
  const change = () => onChange({ kind: 'key', id, label });
  const showUsage = () => {
    setSearch({ key: id });
    document.getElementById('history')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Item
      title={label}
      beside={<code className="small">{id}</code>}
      end={
        <Actions
          actions={[
            { label: t('Usage'), name: t('Usage of {label}', { label }), onClick: showUsage },
            { label: t('Change limits'), name: t('Change limits of {label}', { label }), onClick: change },
          ]}
        />
      }
    >
      {quotas.length > 0 ? (
        <QuotaBars label={label} quotas={quotas} />
      ) : (
        <p className="small muted">{t('No limits of its own; those of the tenant apply.')}</p>
      )}
    </Item>
  );
}
