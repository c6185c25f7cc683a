import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { basePath, serverUrl } from '../../../api/client.ts';
import { LiveSwitch, NewRows } from '../../../feed/live.tsx';
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
export const Executions = forReaders('Executions', 'executions', 'executions:read', ExecutionsPage);

function ExecutionsPage() {
  const search = route.useSearch();
  const [isLive, setLive] = useState(true);
  const list = useRef<HTMLElement>(null);
  const live = useLiveList(search, isLive, list);
  return (
    <>
      <PageHead title="Executions">
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
          {totalText(page.total)} · times in {ZONE}
          <WithoutValue sortBy={search.sortBy} />
        </p>
        <NewRows noun="execution" count={waiting} isCut={waiting === page.executions.length} onShow={bringIn} />
      </div>
      <section ref={list} className="panel" aria-label="Executions" aria-busy={isOld} tabIndex={-1}>
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

const SORTED: Record<string, string> = { cost: 'a cost', latencyMs: 'a latency', totalTokens: 'tokens' };

/** Rows without the value that the list is ordered by are not in it. */
function WithoutValue({ sortBy = '' }: { sortBy: string | undefined }) {
  return SORTED[sortBy] !== undefined && ` · those without ${SORTED[sortBy]} are left out`;
}

function Pages({ nextCursor }: { nextCursor: string | null }) {
  const { after } = route.useSearch();
  if (after === undefined && nextCursor === null) return null;
  return (
    <nav className="row" aria-label="Pages of executions">
      {after !== undefined && (
        <ButtonLink to="." search={(before) => ({ ...before, after: afterPrevious(after) })}>
          Previous
        </ButtonLink>
      )}
      {nextCursor !== null && (
        <ButtonLink to="." search={(before) => ({ ...before, after: afterNext(after, nextCursor) })}>
          Next
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
      <EmptyState title="There are no further executions">
        <Link to="." search={(before) => ({ ...before, after: undefined })}>
          To the first page
        </Link>
      </EmptyState>
    );
  }
  if (isFiltered(search)) {
    return (
      <EmptyState title="No execution matches">
        <p>Choose another time, status or word, or clear the filters.</p>
        <Link to="/executions">Show all executions</Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={agent === undefined ? 'No executions yet' : `No executions of the agent “${agent}” yet`}>
      <p>Record what an agent did: its messages, its output and its steps. It appears here within seconds.</p>
      <div className="first-event">
        <CodeBlock text={curlOf(serverUrl)} label="Command that records an execution" />
      </div>
      <p>
        <code>docs/executions.md</code> shows all members, and the <a href={`${basePath}docs`}>API reference</a> every
        endpoint. Chats of this server are recorded by themselves.
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
