import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, basePath, client } from '../../../api/client.ts';
import { messageOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { PAGE_SIZE } from '../../../feed/state.ts';
import { t } from '../../../language/index.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { download } from '../../../ui/download.ts';
import { Item, ItemLink, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time, ZONE } from '../../../ui/time.tsx';
import { announce } from '../../../ui/toast.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { forAdministrators } from '../administrator-page.tsx';
import { FIRST_PAGE, Filters, useFilters } from './filters.tsx';
import { asideOf, type Line, type Names, sentenceOf } from './words.ts';

const LineDialog = lazyDialog(() => import('./line-dialog.tsx'));

const AUDIT_LOG = '/api/v1/portal/audit-log';
const route = getRouteApi('/shell/settings/audit');
/** The API counts no further. */
const MAX_COUNTED = 10_000;
const MAX_NAMES = 100;
/** More than happens in one millisecond. */
const MOST_AT_ONCE = 500;

/** Who did what in the tenant. */
export const Audit = forAdministrators(t('Audit log'), t('Only administrators see the audit log.'), AuditPage);

function AuditPage() {
  const filters = useFilters();
  const { before, after } = route.useSearch();
  const setSearch = useSetSearch();
  const asked = { ...filters, limit: PAGE_SIZE, ...(before && { before }), ...(after && { after }) };
  const query = api.useQuery('get', AUDIT_LOG, { params: { query: asked } }, { placeholderData: keepPreviousData });
  const names = useNames();
  const { data } = query;
  const { line, isGone } = useLine(data?.entries);
  const isFirst = before === undefined && after === undefined;
  return (
    <>
      <PageHead title={t('Audit log')}>
        <ExportButton format="csv" filters={filters} />
        <ExportButton format="ndjson" filters={filters} />
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t('Who logged in, changed or exported something, and what was refused, for 400 days.')}
        </p>
        <Filters />
        {isGone && <p className="notice">{t('The line in this address is not in the log any more, or never was.')}</p>}
        <QueryState query={query} height={480} />
        {data && data.entries.length > 0 && (
          <p className="small muted">
            {data.total >= MAX_COUNTED
              ? t('{count} lines or more', { count: data.total })
              : t.count(data.total, '{count} line', '{count} lines')}{' '}
            · {t('times in {zone}', { zone: ZONE })}
          </p>
        )}
        <Rows
          label={t('Lines, newest first')}
          rows={data?.entries}
          none={Object.keys(filters).length > 0 ? t('No line matches') : t('No lines here')}
          next={<p>{t('Choose another time, person or action. Lines are kept for 400 days.')}</p>}
        >
          {(entry) => <LineItem key={entry.id} line={entry} names={names} />}
        </Rows>
        {data && <Pages older={data.older} newer={data.newer} isFirst={isFirst} />}
      </div>
      {line && (
        <LineDialog
          line={line}
          names={names}
          onClose={() => setSearch({ line: undefined, at: undefined }, { replace: true, resetScroll: false })}
        />
      )}
    </>
  );
}

/** The line in the address: one that newer lines have moved to another page is found by its time. */
function useLine(entries: readonly Line[] | undefined) {
  const { line: id, at = '' } = route.useSearch();
  const shown = entries?.find((one) => one.id === id);
  const time = Date.parse(at);
  const isElsewhere = id !== undefined && entries !== undefined && shown === undefined;
  const range = {
    dateFrom: at,
    dateTo: Number.isNaN(time) ? '' : new Date(time + 1).toISOString(),
    limit: MOST_AT_ONCE,
  };
  const query = api.useQuery(
    'get',
    AUDIT_LOG,
    { params: { query: range } },
    { enabled: isElsewhere && !Number.isNaN(time) },
  );
  const found = shown ?? (isElsewhere ? query.data?.entries.find((one) => one.id === id) : undefined);
  return { line: found, isGone: isElsewhere && found === undefined && !query.isFetching && !query.error };
}

function LineItem({ line, names }: { line: Line; names: Names }) {
  const aside = asideOf(line);
  return (
    <Item
      title={
        <ItemLink to="." search={(former) => ({ ...former, line: line.id, at: line.at })} resetScroll={false}>
          {sentenceOf(line, names)}
        </ItemLink>
      }
    >
      <p className="small muted">
        <Time iso={line.at} />
        {line.address !== null && ` · ${t('from {address}', { address: line.address })}`}
      </p>
      {aside !== null && <p className="small muted clamped">{aside}</p>}
    </Item>
  );
}

function Pages({ older, newer, isFirst }: { older: string | null; newer: string | null; isFirst: boolean }) {
  return (
    <nav className="row" aria-label={t('Pages of the audit log')}>
      {!isFirst && (
        <ButtonLink to="." search={(former) => ({ ...former, ...FIRST_PAGE })}>
          {t('Newest')}
        </ButtonLink>
      )}
      {newer !== null && (
        <ButtonLink to="." search={(former) => ({ ...former, ...FIRST_PAGE, after: newer })}>
          {t('Newer')}
        </ButtonLink>
      )}
      {older !== null && (
        <ButtonLink to="." search={(former) => ({ ...former, ...FIRST_PAGE, before: older })}>
          {t('Older')}
        </ButtonLink>
      )}
    </nav>
  );
}

/** The browser saves the file as it arrives; without a session, it would save the refusal: that is checked before. */
function ExportButton({ format, filters }: { format: 'csv' | 'ndjson'; filters: Record<string, string> }) {
  const save = async () => {
    const { error } = await client.GET('/api/v1/portal/me');
    if (error) return announce(messageOf(error));
    const parameters = new URLSearchParams({ ...filters, format });
    download(`audit-log.${format}`, `${basePath}api/v1/portal/audit-log/export?${parameters}`);
  };
  return <Button onClick={() => void save()}>{t('Export {format}', { format: format.toUpperCase() })}</Button>;
}

/** Names of the newest users; others stand with the e-mail or the id of the line. */
function useNames(): Names {
  const { data } = api.useQuery('get', '/api/v1/portal/users', { params: { query: { limit: MAX_NAMES } } });
  const { tenant } = useSession();
  return useMemo(() => {
    const users = data?.users.map(({ id, name }) => [id, name] as const) ?? [];
    return new Map([[tenant.id, t('the tenant|in the audit log')], ...users]);
  }, [data, tenant.id]);
}
