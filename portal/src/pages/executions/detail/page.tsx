import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { messageOf, statusOf } from '../../../api/errors.ts';
import { t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import { EXECUTION } from '../executions.ts';
import { listIn } from '../list/state.ts';
import { ExecutionContent } from './content.tsx';
import { useNeighbours } from './neighbours.ts';

const route = getRouteApi('/shell/executions/$id');
/** While it runs. */
const POLL_MS = 5_000;

/** One run of an agent: what was said, what it did, and what people think of it. */
export const ExecutionPage = forReaders(t('Execution'), 'executions', 'executions:read', OneExecution);

function OneExecution() {
  const { id } = route.useParams();
  const query = api.useQuery(
    'get',
    EXECUTION,
    { params: { path: { executionId: id } } },
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false) },
  );
  const { data } = query;
  return (
    <>
      <PageHead title={data?.name ?? id}>
        <WayThrough id={id} />
      </PageHead>
      {data ? <ExecutionContent key={id} execution={data} /> : <Unread key={id} query={query} />}
    </>
  );
}

/** The ways back to the list, and to the executions before and after this one. */
function WayThrough({ id }: { id: string }) {
  const list = listIn(route.useSearch().list);
  const { previous, next } = useNeighbours(id, list);
  const navigate = useNavigate();
  const goTo = (place: typeof next) =>
    place && (() => void navigate({ to: '/executions/$id', params: { id: place.id }, search: { list: place.list } }));
  const [goBack, goOn] = [goTo(previous), goTo(next)];
  useKeys({ k: goBack, j: goOn });
  return (
    <>
      <ButtonLink to="/executions" search={list ?? {}}>
        {list === null ? t('All executions') : t('Back to the list')}
      </ButtonLink>
      {list !== null && (
        <>
          <Button aria-keyshortcuts="K" disabled={goBack === undefined} onClick={goBack}>
            {t('Previous')} <kbd>K</kbd>
          </Button>
          <Button aria-keyshortcuts="J" disabled={goOn === undefined} onClick={goOn}>
            {t('Next|an execution')} <kbd>J</kbd>
          </Button>
        </>
      )}
    </>
  );
}

const GONE = t('The address may be wrong, the execution was erased, or only events name it and nobody recorded it.');

/** Says why there is nothing to show. */
function Unread({ query }: { query: { data: unknown; error: unknown; refetch(): unknown } }) {
  const status = statusOf(query.error);
  const [title, reason] =
    status === 404 || status === 400
      ? [t('There is no such execution'), GONE]
      : status === 403
        ? [t('You may not see this execution'), messageOf(query.error)]
        : [];
  if (title !== undefined) {
    return (
      <EmptyState title={title}>
        <p>{reason}</p>
        <Link to="/executions">{t('All executions')}</Link>
      </EmptyState>
    );
  }
  return <QueryState query={query} height={480} />;
}
