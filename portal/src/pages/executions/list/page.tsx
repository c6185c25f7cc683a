import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { basePath, serverUrl } from '../../../api/client.ts';
import { LiveSwitch, NewRows } from '../../../feed/live.tsx';
import { t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/states.tsx';
import { ZONE } from '../../../ui/time.tsx';
import { totalText } from '../words.ts';
import { Filters } from './filters.tsx';
import { useLiveList } from './live.ts';
import { ExecutionItem } from './rows.tsx';
import { afterNext, afterPrevious, isFiltered, isNewestFirst, listText } from './state.ts';

const route = getRouteApi('/shell/executions');

/** Runs of agents, a row each. */
export const Executions = forReaders(t('Executions'), 'executions', 'executions:read', ExecutionsPage);

function ExecutionsPage() {
  const search = route.useSearch();
  const [isLive, setLive] = useState(true);
  const list = useRef<HTMLElement>(null);
  const live = useLiveList(search, isLive, list);
  return (
    <>
      <PageHead title={t('Executions')}>
        {isNewestFirst(search) && <LiveSwitch isLive={isLive} onChange={setLive} />}
      </PageHead>
      <div className="stack">
        <Filters />
        <List live={live} list={list} />
      </div>
    </>
  );
}

interface ListProps {
  live: ReturnType<typeof useLiveList>;
  list: React.RefObject<HTMLElement | null>;
}

function List({ live, list }: ListProps) {
  const search = route.useSearch();
  const { query, page, rows, isOld, waiting, bringIn } = live;
  const fault = query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (page === undefined || rows === undefined) return fault || <Loading height={480} />;
  // The rows of another question would look like the answer.
  if (fault && isOld) return fault;
  return (
    <>
      {fault}
      <div className="row feed-status">
        <p className="small muted">
          {totalText(page.total)} · {t('times in {zone}', { zone: ZONE })}
          <WithoutValue sortBy={search.sortBy} />
        </p>
        <NewRows noun="execution" count={waiting} isCut={waiting === page.executions.length} onShow={bringIn} />
      </div>
      <section ref={list} className="panel" aria-label={t('Executions')} aria-busy={isOld} tabIndex={-1}>
        {rows.length > 0 ? (
          <ol className="items">
            {rows.map((row) => (
              <ExecutionItem key={row.id} row={row} list={listText(search)} />
            ))}
          </ol>
        ) : (
          <NoExecutions />
        )}
      </section>
      <Pages nextCursor={isOld ? null : page.nextCursor} />
    </>
  );
}

const LEFT_OUT: Record<string, string> = {
  cost: t('those without a cost are left out'),
  latencyMs: t('those without a latency are left out'),
  totalTokens: t('those without tokens are left out'),
};

/** Rows without the value that the list is ordered by are not in it. */
function WithoutValue({ sortBy = '' }: { sortBy: string | undefined }) {
  return LEFT_OUT[sortBy] !== undefined && ` · ${LEFT_OUT[sortBy]}`;
}

function Pages({ nextCursor }: { nextCursor: string | null }) {
  const { after } = route.useSearch();
  if (after === undefined && nextCursor === null) return null;
  return (
    <nav className="row" aria-label={t('Pages of executions')}>
      {after !== undefined && (
        <ButtonLink to="." search={(before) => ({ ...before, after: afterPrevious(after) })}>
          {t('Previous')}
        </ButtonLink>
      )}
      {nextCursor !== null && (
        <ButtonLink to="." search={(before) => ({ ...before, after: afterNext(after, nextCursor) })}>
          {t('Next|a page')}
        </ButtonLink>
      )}
    </nav>
  );
}

function NoExecutions() {
  const search = route.useSearch();
  const agent = useAgent();
  if (search.after !== undefined) {
    return (
      <EmptyState title={t('There are no further executions')}>
        <Link to="." search={(before) => ({ ...before, after: undefined })}>
          {t('To the first page')}
        </Link>
      </EmptyState>
    );
  }
  if (isFiltered(search)) {
    return (
      <EmptyState title={t('No execution matches')}>
        <p>{t('Choose another time, status or word, or clear the filters.')}</p>
        <Link to="/executions">{t('Show all executions')}</Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={agent === undefined ? t('No executions yet') : t('No executions of the agent “{agent}” yet', { agent })}
    >
      <p>{t('Record what an agent did: its messages, its output and its steps. It appears here within seconds.')}</p>
      <div className="first-event">
        <CodeBlock text={curlOf(serverUrl)} label={t('Command that records an execution')} />
      </div>
      <p>
        {t.nodes(
          '{file} shows all members, and the {reference} every endpoint. Chats of this server are recorded by themselves.',
          {
            file: <code>docs/executions.md</code>,
            reference: <a href={`${basePath}docs`}>{t('API reference')}</a>,
          },
        )}
      </p>
    </EmptyState>
  );
}

function curlOf(url: string): string {
  return [
    `curl ${url}/api/v1/runtime/v1/observability/executions \\`,
    '  -H "x-api-key: ar_YOUR_KEY" -H "content-type: application/json" \\',
    `  -d '{"model": "gpt-5", "messages": [{"role": "user", "content": "Where is my order?"}],`,
    `       "output": "It arrives tomorrow."}'`,
  ].join('\n');
}
