import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { CountOfRows, EventList, Paging } from '../../feed/list.tsx';
import { OpenedEvent } from '../../feed/opened-event.tsx';
import { PAGE_SIZE, pageNumber } from '../../feed/state.ts';
import { LOCALE, t } from '../../language/index.ts';
import { PageHead, Section } from '../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type Cases as CaseEvents, faultOf, totalsInWords } from './state.ts';

const route = getRouteApi('/shell/cases/$handle');

/** The events behind a number, with their threads and executions. The address has the handle. */
export function Cases() {
  const { handle } = route.useParams();
  const { can } = useSession();
  return (
    <>
      <PageHead title={t('Events behind a number')} />
      {can('events:read') ? (
        <Found key={handle} handle={handle} />
      ) : (
        <p className="notice">{t('Your role does not let you see events.')}</p>
      )}
    </>
  );
}

function Found({ handle }: { handle: string }) {
  const { page } = route.useSearch();
  const number = pageNumber(page);
  const { data, error, isPlaceholderData, refetch } = api.useQuery(
    'get',
    '/api/v1/runtime/observability/cases/{handle}',
    { params: { path: { handle }, query: { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE } } },
    { placeholderData: keepPreviousData },
  );
  if (error) {
    const fault = faultOf(error);
    return fault === null ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <div role="alert">
        <EmptyState title={fault.title}>
          <p>{fault.text}</p>
        </EmptyState>
      </div>
    );
  }
  if (!data) return <Loading height={320} />;
  return <Shown cases={data} number={number} isOld={isPlaceholderData} />;
}

function Shown({ cases, number, isOld }: { cases: CaseEvents; number: number; isOld: boolean }) {
  const { events, total } = cases;
  return (
    <div className="stack">
      <div className="stack tight">
        <p>
          <strong>{totalsInWords(cases)}</strong>
        </p>
        <p className="small muted prose-text">
          {t(
            'An answer, a card or an alert counted them. They are read anew: events that arrived since with an earlier time, or were erased, change what is shown.',
          )}
        </p>
      </div>
      {total > 0 && (
        <div className="halves">
          <CountTable
            of="threads"
            rows={cases.threads.map(({ threadId, ...thread }) => ({ id: threadId, ...thread }))}
            total={cases.totalThreads}
          />
          <CountTable
            of="executions"
            rows={cases.executions.map(({ executionId, events: count }) => ({ id: executionId, events: count }))}
            total={cases.totalExecutions}
          />
        </div>
      )}
      <Section id="events" title={t('Events, newest first')} className="stack tight">
        <CountOfRows noun="event" total={total} number={number} />
        <div className="panel" aria-busy={isOld}>
          {events.length > 0 ? (
            <EventList events={events} />
          ) : (
            <EmptyState title={total > 0 ? t('There are no older events') : t('No events')}>
              {total === 0 && <p>{t('None was counted, or they were erased.')}</p>}
            </EmptyState>
          )}
        </div>
      </Section>
      <Paging label={t('Pages of events')} number={number} total={total} />
      <OpenedEvent events={events} />
    </div>
  );
}

const KINDS = {
  threads: {
    title: t('Threads'),
    label: t('Table of threads'),
    id: t('Thread'),
    none: t('No event belongs to a thread.'),
    to: '/threads/$id',
  },
  executions: {
    title: t('Executions'),
    label: t('Table of executions'),
    id: t('Execution'),
    none: t('No event names an execution.'),
    to: '/executions/$id',
  },
} as const;

interface CountTableProps {
  of: keyof typeof KINDS;
  rows: readonly { id: string; events: number; executionIds?: readonly string[] }[];
  total: number;
}

/** The threads or the executions that the events name, those with the most events first. */
function CountTable({ of, rows, total }: CountTableProps) {
  const { title, label, id, none } = KINDS[of];
  return (
    <section className="stack tight" aria-labelledby={of}>
      <h2 id={of}>{title}</h2>
      {total === 0 && <p className="small muted">{none}</p>}
      {rows.length < total && (
        <p className="small muted">{t('The {count} with the most events', { count: rows.length })}</p>
      )}
      {total > 0 && (
        <Table
          label={label}
          columns={[id, { number: t('Events') }, ...(of === 'threads' ? [t('Executions')] : [])]}
          className="panel scroll count-table"
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <IdLink of={of} id={row.id} />
              </td>
              <td className="number">{row.events.toLocaleString(LOCALE)}</td>
              {row.executionIds && (
                <td>
                  <Ids ids={row.executionIds} />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function IdLink({ of, id }: { of: CountTableProps['of']; id: string }) {
  return (
    <Link to={KINDS[of].to} params={{ id }} preload={false}>
      {id}
    </Link>
  );
}

/** A single id is shown; more are folded. */
function Ids({ ids }: { ids: readonly string[] }) {
  const [first] = ids;
  if (first === undefined) return <span className="muted">{t('None|an execution')}</span>;
  if (ids.length === 1) return <IdLink of="executions" id={first} />;
  return (
    <details>
      <summary>{ids.length}</summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <IdLink of="executions" id={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}
